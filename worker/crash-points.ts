/**
 * Named places where a fault test kills the worker, as an operator's `kill -9` would: no handler
 * runs, nothing is flushed. Each name stands in the code beside the state that it leaves behind.
 */
let armed: string | undefined

/** Makes the process die at the point of that name. Called by the composition, in tests only. */
export const armCrashPoint = (name: string | undefined): void => {
  armed = name
}

/** Kills this process at once where `name` is armed; else does nothing. */
export const crashPoint = (name: string): void => {
  if (armed === name) process.kill(process.pid, 'SIGKILL')
}
