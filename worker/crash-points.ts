/**
 * Named points at which a fault test kills the worker like `kill -9`: no handler runs, no buffer is
 * flushed. A comment at each point describes the state after the crash.
 */
let armed: string | undefined

/** Makes the process die at this crash point. Only for tests. */
export const armCrashPoint = (name: string | undefined): void => {
  armed = name
}

/** Kills this process if `name` is armed. */
export const crashPoint = (name: string): void => {
  if (armed === name) process.kill(process.pid, 'SIGKILL')
}
