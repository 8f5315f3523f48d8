"""`python -m tests.gpu`: the checks, or one line on what the machine lacks for them."""

from tests.support.gpu_machine import require_gpu_machine

require_gpu_machine()

from tests.gpu.checks import main  # noqa: E402 (imports what may be missing)

main()
