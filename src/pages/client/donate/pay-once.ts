/** The donor has stopped this attempt, so it asks the wallet for nothing more. */
export class StoppedError extends Error {}

/** The payments that wait for a wallet, by the id of the intent. */
const open = new Map<string, Promise<void>>()

/**
 * Pays an intent, unless an older attempt still waits for the wallet. Then this attempt gets the
 * answer to the older one, because a donor who confirms two requests pays twice. If the older
 * attempt was stopped between two requests, this one begins again.
 *
 * @throws StoppedError, and what `pay` throws
 */
export const payOnce = async (
  id: string,
  pay: () => Promise<void>,
  wait: (older: Promise<void>) => Promise<void>,
): Promise<void> => {
  for (let older = open.get(id); older; older = open.get(id)) {
    try {
      return await wait(older)
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error
    }
  }
  const paying = pay().finally(() => open.delete(id))
  open.set(id, paying)
  return paying
}
