/**
 * Named points at which a fault test kills the worker like `kill -9`: no handler runs, nothing is
 * flushed. A comment beside each point describes the state that the crash leaves.
 */
let armed: string | undefined

/** Makes the process die at that crash point. Only for tests. */
export const armCrashPoint = (name: string | undefined): void => {
  armed = name
}

/** Kills this process if `name` is armed. */
export const crashPoint = (name: string): void => {
  if (armed === name) process.kill(process.pid, 'SIGKILL')
}
