/**
 * The crash point at which a fault test kills this process like `kill -9`, so no handler runs and
 * no buffer is flushed. The comment at each crash point describes the state after the crash.
 */
let armed: string | undefined

/** Makes the process die at the crash point `name`. Only for tests. */
export const armCrashPoint = (name: string | undefined): void => {
  armed = name
}

/** Kills this process if `name` is armed. */
export const crashPoint = (name: string): void => {
  if (armed === name) process.kill(process.pid, 'SIGKILL')
}
