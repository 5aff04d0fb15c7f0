"""What scripts do that compile something of their own beside a build."""
import subprocess


def run(*command, **options):
    """Runs a command; its output is shown only when it fails."""
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        print(done.stdout + done.stderr)
        raise SystemExit(f"FAILED {' '.join(map(str, command))}: exit {done.returncode}")
    return done.stdout


def cache(build, name):
    """The value of a variable of the build's configuration."""
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return line.split("=", 1)[1]
    return ""
