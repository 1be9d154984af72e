import type { askHex, Provider } from './provider.ts'

/**
 * Shows the fees inside an element in the coin of the chain, at the price of gas now. Returns false
 * if the wallet uses another chain.
 */
export const showFees = async (
  ask: typeof askHex,
  provider: Provider,
  place: HTMLElement,
): Promise<boolean> => {
  const { about = '', coin, chain, lang } = place.dataset
  if (Number(await ask(provider, 'eth_chainId')) !== Number(chain)) return false
  const price = BigInt(await ask(provider, 'eth_gasPrice'))
  const format = new Intl.NumberFormat(lang, { maximumSignificantDigits: 2 })
  for (const element of place.querySelectorAll<HTMLElement>('[data-gas]')) {
    const coins = Number(price * BigInt(element.dataset.gas ?? 0)) / 1e18
    element.textContent = about.replace('{fee}', `${format.format(coins)}\u00a0${coin}`)
  }
  return true
}
