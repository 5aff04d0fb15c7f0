// What the kernels do, for host threads and CUDA alike: C++17, nothing but device_view.h. Each body
// is called by every thread of a launch with its number and takes every threads-th element.
// Tables are not trusted: an access that would leave its memory, or is not aligned for its type,
// is not made; what should have been written then still holds the poison, which the host finds.
#pragma once

#include <slabscope/slab/device_view.h>

#include <cstdint>

namespace slabscope {

// Memory that a kernel may touch.
struct MemorySpan {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

// What an element is: the order is that of ElementType.
enum class ElementKind : std::uint32_t { u8, i8, u16, i16, u32, i32, u64, i64, zero_byte };

// Which of the engine's accessors reads a field; none: a plain typed load.
enum class ViewMember : std::uint32_t { none, position, slot, seq_len, seq_slot, block_table };

// One field of one slab, or a gap that packing sets to zero. Offsets are bytes.
struct FieldRun {
  std::uint64_t first = 0;         // number of its first element among those of the launch
  std::uint64_t elements = 0;      // of all its rows
  std::uint64_t offset = 0;        // of its first element, in `slabs` and in `packed`
  std::uint64_t row_elements = 1;  // elements of a row
  std::uint64_t row_stride = 0;    // bytes from one row to the next
  std::uint64_t column = 0;        // of its first element, in `columns` and in `results`
  std::uint64_t view = 0;          // which view, where `member` is not none
  ElementKind kind = ElementKind::u8;
  ViewMember member = ViewMember::none;
};

struct KernelArguments {
  MemorySpan runs;     // FieldRun[run_count], in order of `first`: all fields, then all gaps
  MemorySpan views;    // DeviceView[view_count]
  MemorySpan columns;  // what to pack
  MemorySpan slabs;    // what to read
  MemorySpan packed;   // where packing writes
  MemorySpan results;  // where reading writes
  MemorySpan views_read;
  std::uint64_t run_count = 0;
  std::uint64_t view_count = 0;
  std::uint64_t field_elements = 0;  // of all fields: what is read
  std::uint64_t all_elements = 0;    // with the bytes of gaps: what is packed
};

template <class T>
SLABSCOPE_HOST_DEVICE inline void store_at(std::uint64_t address, std::uint64_t index, T value) {
  reinterpret_cast<T*>(address)[index] = value;  // NOLINT(performance-no-int-to-ptr)
}

// Does an array of elements of `width` bytes that begins at `offset` have its element `index`
// inside the memory, aligned?
SLABSCOPE_HOST_DEVICE inline bool holds(const MemorySpan& memory, std::uint64_t offset,
                                        std::uint64_t index, std::uint64_t width) {
  return offset <= memory.bytes && index < (memory.bytes - offset) / width &&
         (memory.address + offset) % width == 0;
}

// The same of the objects of a table that begins where the memory does, which is aligned for them.
template <class T>
SLABSCOPE_HOST_DEVICE inline bool holds_object(const MemorySpan& memory, std::uint64_t index) {
  return index < memory.bytes / sizeof(T) && memory.address % alignof(T) == 0;
}

// The same of an array whose address is given.
SLABSCOPE_HOST_DEVICE inline bool holds_address(const MemorySpan& memory, std::uint64_t address,
                                                std::uint64_t index, std::uint64_t width) {
  return address >= memory.address && holds(memory, address - memory.address, index, width);
}

// Where the row of an element begins, and which element of the row it is.
struct ElementPlace {
  std::uint64_t row = 0;
  std::uint64_t row_offset = 0;  // bytes
  std::uint64_t in_row = 0;
};
SLABSCOPE_HOST_DEVICE inline bool find_place(const FieldRun& run, std::uint64_t element,
                                             ElementPlace& place) {
  if (run.row_elements == 0) return false;
  place.row = element / run.row_elements;
  place.in_row = element % run.row_elements;
  const std::uint64_t most = ~std::uint64_t{0};
  if (run.row_stride != 0 && place.row > (most - run.offset) / run.row_stride) return false;
  place.row_offset = run.offset + place.row * run.row_stride;
  return true;
}

// The run that has the element, found from the one before: a thread's elements only go up. False
// where none has it.
SLABSCOPE_HOST_DEVICE inline bool find_run(const KernelArguments& given, std::uint64_t element,
                                           std::uint64_t& at, FieldRun& run) {
  const std::uint64_t count = given.run_count;
  if (at >= count || !holds_object<FieldRun>(given.runs, count - 1)) return false;
  run = load_at<FieldRun>(given.runs.address, at);
  if (element >= run.first && element - run.first < run.elements) return true;
  if (count - at > 1) {  // most often the next one
    run = load_at<FieldRun>(given.runs.address, at + 1);
    if (element >= run.first && element - run.first < run.elements) {
      ++at;
      return true;
    }
  }
  std::uint64_t low = at;  // the last run that begins at or before the element
  std::uint64_t behind = count;
  while (behind - low > 1) {
    const std::uint64_t middle = low + (behind - low) / 2;
    if (load_at<FieldRun>(given.runs.address, middle).first <= element)
      low = middle;
    else
      behind = middle;
  }
  at = low;
  run = load_at<FieldRun>(given.runs.address, at);
  return element >= run.first && element - run.first < run.elements;
}

template <class T>
SLABSCOPE_HOST_DEVICE inline void give_result(const KernelArguments& given, const FieldRun& run,
                                              std::uint64_t element, T value) {
  if (holds(given.results, run.column, element, sizeof(T)))
    store_at<T>(given.results.address + run.column, element, value);
}

// A typed load of the element, from where the layout says its row is.
template <class T>
SLABSCOPE_HOST_DEVICE inline void read_plain(const KernelArguments& given, const FieldRun& run,
                                             std::uint64_t element) {
  ElementPlace place;
  if (!find_place(run, element, place)) return;
  if (!holds(given.slabs, place.row_offset, place.in_row, sizeof(T))) return;
  give_result(given, run, element,
              load_at<T>(given.slabs.address + place.row_offset, place.in_row));
}

// The same through what an attention kernel is given.
SLABSCOPE_HOST_DEVICE inline void read_through_view(const KernelArguments& given,
                                                    const FieldRun& run, std::uint64_t element) {
  if (!holds_object<DeviceView>(given.views, run.view)) return;
  const DeviceView view = load_at<DeviceView>(given.views.address, run.view);
  switch (run.member) {
    case ViewMember::none: break;
    case ViewMember::position:
      if (holds_address(given.slabs, view.positions, element, 4))
        give_result(given, run, element, position_at(view, element));
      break;
    case ViewMember::slot:
      if (holds_address(given.slabs, view.slot, element, 8))
        give_result(given, run, element, slot_at(view, element));
      break;
    case ViewMember::seq_len:
      if (holds_address(given.slabs, view.seq_len, element, 4))
        give_result(given, run, element, seq_len_at(view, element));
      break;
    case ViewMember::seq_slot:
      if (holds_address(given.slabs, view.seq_slot, element, 4))
        give_result(given, run, element, seq_slot_at(view, element));
      break;
    case ViewMember::block_table:
      if (run.row_elements != 0 && holds_address(given.slabs, view.block_table, element, 4))
        give_result(given, run, element,
                    block_at(view, element / run.row_elements, element % run.row_elements,
                             run.row_elements));
      break;
  }
}

SLABSCOPE_HOST_DEVICE inline void read_element(const KernelArguments& given, const FieldRun& run,
                                               std::uint64_t element) {
  if (run.member != ViewMember::none) return read_through_view(given, run, element);
  switch (run.kind) {
    case ElementKind::u8: return read_plain<std::uint8_t>(given, run, element);
    case ElementKind::i8: return read_plain<std::int8_t>(given, run, element);
    case ElementKind::u16: return read_plain<std::uint16_t>(given, run, element);
    case ElementKind::i16: return read_plain<std::int16_t>(given, run, element);
    case ElementKind::u32: return read_plain<std::uint32_t>(given, run, element);
    case ElementKind::i32: return read_plain<std::int32_t>(given, run, element);
    case ElementKind::u64: return read_plain<std::uint64_t>(given, run, element);
    case ElementKind::i64: return read_plain<std::int64_t>(given, run, element);
    case ElementKind::zero_byte: break;
  }
}

template <class T>
SLABSCOPE_HOST_DEVICE inline void pack_plain(const KernelArguments& given, const FieldRun& run,
                                             std::uint64_t element) {
  ElementPlace place;
  if (!find_place(run, element, place)) return;
  if (!holds(given.packed, place.row_offset, place.in_row, sizeof(T)) ||
      !holds(given.columns, run.column, element, sizeof(T)))
    return;
  store_at<T>(given.packed.address + place.row_offset, place.in_row,
              load_at<T>(given.columns.address + run.column, element));
}

SLABSCOPE_HOST_DEVICE inline void pack_element(const KernelArguments& given, const FieldRun& run,
                                               std::uint64_t element) {
  switch (run.kind) {
    case ElementKind::u8: return pack_plain<std::uint8_t>(given, run, element);
    case ElementKind::i8: return pack_plain<std::int8_t>(given, run, element);
    case ElementKind::u16: return pack_plain<std::uint16_t>(given, run, element);
    case ElementKind::i16: return pack_plain<std::int16_t>(given, run, element);
    case ElementKind::u32: return pack_plain<std::uint32_t>(given, run, element);
    case ElementKind::i32: return pack_plain<std::int32_t>(given, run, element);
    case ElementKind::u64: return pack_plain<std::uint64_t>(given, run, element);
    case ElementKind::i64: return pack_plain<std::int64_t>(given, run, element);
    case ElementKind::zero_byte:
      if (holds(given.packed, run.offset, element, 1))
        store_at<std::uint8_t>(given.packed.address + run.offset, element, 0);
      break;
  }
}

// Calls take(element) for every `threads`-th element from `thread` on, without a sum that wraps.
template <class Take>
SLABSCOPE_HOST_DEVICE inline void stride_over(std::uint64_t elements, std::uint64_t thread,
                                              std::uint64_t threads, Take&& take) {
  std::uint64_t element = thread;
  while (element < elements) {
    take(element);
    if (threads == 0 || elements - element <= threads) return;
    element += threads;
  }
}

// The kernel `read`: every element of every field into its column, and the views as they arrived.
SLABSCOPE_HOST_DEVICE inline void read_elements(const KernelArguments& given, std::uint64_t thread,
                                                std::uint64_t threads) {
  std::uint64_t at = 0;
  stride_over(given.field_elements, thread, threads, [&](std::uint64_t element) {
    FieldRun run;
    if (find_run(given, element, at, run)) read_element(given, run, element - run.first);
  });
  stride_over(given.view_count, thread, threads, [&](std::uint64_t view) {
    if (holds_object<DeviceView>(given.views, view) &&
        holds_object<DeviceView>(given.views_read, view))
      store_at<DeviceView>(given.views_read.address, view,
                           load_at<DeviceView>(given.views.address, view));
  });
}

// The kernel `pack`: every element from its column to its place, and zeros into gaps.
SLABSCOPE_HOST_DEVICE inline void pack_elements(const KernelArguments& given, std::uint64_t thread,
                                                std::uint64_t threads) {
  std::uint64_t at = 0;
  stride_over(given.all_elements, thread, threads, [&](std::uint64_t element) {
    FieldRun run;
    if (find_run(given, element, at, run)) pack_element(given, run, element - run.first);
  });
}

}  // namespace slabscope
