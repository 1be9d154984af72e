/**
 * The crash point at which a test kills this process with SIGKILL, so that no handler runs. The
 * comment at each crash point describes the state after the crash.
 */
let armed: string | undefined

/** Chooses the crash point at which the process dies. Only for tests. */
export const armCrashPoint = (name: string | undefined): void => {
  armed = name
}

/** Kills this process if a test has chosen the crash point `name`. */
export const crashPoint = (name: string): void => {
  if (armed === name) process.kill(process.pid, 'SIGKILL')
}
