/** Returns the CPU time that this thread has used. Other processes on the same cores do not affect it. */
export const cpuTimeMs = (): number => process.threadCpuUsage().user / 1000
