"""A copy of the tree in which sources are changed, built and tested, while the tree itself stays as it is."""
import os
import pathlib
import resource
import shutil
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIGURE = ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1", "-DSLABSCOPE_TESTS=ON", "-DSLABSCOPE_CUDA=OFF")
MOST_MEMORY = 6 << 30
FAST_SECONDS = 2.0  # of processor time: a file of unit tests that runs for every change


def limited(seconds):
    """What a child does before it starts: it may not use more processor time than this, nor memory without end."""
    def set_limits():
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return set_limits


class Scratch:
    """A copy of the tree with a build of its tests, in `folder`; what was built there before is built on."""

    def __init__(self, folder, jobs=1):
        self.folder = pathlib.Path(folder)
        self.tree = self.folder / "tree"
        self.build_folder = self.folder / "build"
        self.jobs = jobs
        self.folders = None  # whose unit tests the build has, sorted; all, if empty

    def prepare(self):
        """Brings the copy up to date with the tree, and builds it. Files that are the same keep their time."""
        names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                               capture_output=True, check=True, text=True).stdout.split("\0")
        wanted = {name for name in names if name and (ROOT / name).is_file()}
        for path in [each for each in self.tree.rglob("*") if each.is_file()]:
            if str(path.relative_to(self.tree)) not in wanted:
                path.unlink()
        for name in wanted:
            source, target = ROOT / name, self.tree / name
            if not target.exists() or source.read_bytes() != target.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)  # with the time of now: what is built from it is built again
        if not self.build():
            raise SystemExit(f"the tree does not build as it is: cmake --build {self.build_folder}")

    def configure(self, folders):
        """Makes the build have the unit tests of these folders alone. What is built already stays."""
        if self.folders == sorted(folders):
            return
        linker = ["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"] if shutil.which("ld.lld") else []
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        self.folders = sorted(folders)
        self.quiet(["cmake", "-S", self.tree, "-B", self.build_folder, *generator, *CONFIGURE, *linker,
                    f"-DSLABSCOPE_TEST_FOLDERS={';'.join(self.folders)}"])

    def quiet(self, command):
        done = subprocess.run([str(each) for each in command], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(done.stdout + done.stderr)

    def build(self, *targets, folders=()):
        """Builds the targets (the tests and the command, if none is named); whether that succeeded. The unit tests are
        those of the folders, or all."""
        self.configure(folders)
        targets = targets or ("slabscope_tests", "slabscope_command")
        command = ["cmake", "--build", self.build_folder, "-j", str(self.jobs), "--target", *targets]
        return subprocess.run([str(each) for each in command], capture_output=True).returncode == 0

    def passes(self, command, seconds):
        """Does the command exit 0 within so many seconds of processor time, and ten times as long by the clock?"""
        process = subprocess.Popen([str(each) for each in command], cwd=self.build_folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, preexec_fn=limited(int(seconds) + 1),
                                   start_new_session=True)
        try:
            return process.wait(timeout=30 + 10 * seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # what it started, too
            process.wait()
            return False

    def unit_tests(self):
        """The test files that ctest runs, as doctest's --source-file takes them."""
        return sorted(str(path.relative_to(self.tree / "tests")) for path in (self.tree / "tests").rglob("*_test.cpp")
                      if not path.name.endswith("_extra_test.cpp"))

    def unit_test(self, *files):
        """The command that runs these test files, up to the first failure."""
        wanted = ",".join(f"*/tests/{each}" for each in files)
        return [self.build_folder / "tests" / "slabscope_tests", "--abort-after=1", f"--source-file={wanted}"]

    def measure(self):
        """What each file of unit tests uses of the processor, in seconds."""
        return {each: processor_seconds(self.unit_test(each)) for each in self.unit_tests()}

    def suite(self):
        """The command that runs everything that there is, scripts and replays of the fuzz targets too."""
        return ["ctest", "--test-dir", self.build_folder, "-j", str(self.jobs), "--stop-on-failure",
                "--output-on-failure"]

    def failed_tests(self):
        """What the latest run of ctest found to fail, with a comma between."""
        log = self.build_folder / "Testing" / "Temporary" / "LastTestsFailed.log"
        lines = log.read_text().split() if log.exists() else []
        return ", ".join(line.partition(":")[2] for line in lines) or "no test ended"


def unit_stages(cost, folders):
    """Names and files of unit tests, in the order in which a change in these folders meets them."""
    own = [each for each in cost if each.split("/")[0] in folders]
    fast = [each for each in cost if cost[each] <= FAST_SECONDS]
    stages = (("its folder's tests", [each for each in own if each in fast]), ("fast tests", fast),
              ("its folder's slow tests", [each for each in own if each not in fast]))
    return [(name, files) for name, files in stages if files]


def processor_seconds(command):
    """What a command that succeeds uses."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(each) for each in command], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def free_cores():
    """How many copies can build side by side."""
    return max(1, os.cpu_count() or 1)
