package local

import "syscall"

// endWithParent has the kernel kill the process when the thread that started
// it ends, which is when the console ends: a rank that is stopped would not
// notice that its input has closed. Execute keeps its thread for that long.
func endWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
