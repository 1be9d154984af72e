import type { Context } from '../../db/context.ts'
import { listSealKeys } from '../../domain/books/index.ts'
import type { CheckProps } from '../components/check-state.ts'
import type { Language } from '../shared/languages.ts'
import { checkTexts } from '../texts/check/index.ts'
import { walletChain } from './payable.ts'

/** What the check in the browser needs for any proof. */
export const checkProps = async (
  ctx: Context,
  lang: Language,
): Promise<CheckProps & { donation: null }> => {
  const { assets, chains, environment } = ctx.settings
  const keys = await listSealKeys(ctx)
  const onChains = assets.all.filter(({ chainId }) => chainId !== null)
  return {
    lang,
    texts: checkTexts[lang].island,
    siteKeys: keys.map(({ x }) => ({ x })),
    assets: onChains.map(({ id, symbol, decimals }) => ({ id, symbol, decimals })),
    chains: chains.map(({ id }) => walletChain(ctx, { chainId: id })),
    mayAskLocal: environment === 'sandbox',
    donation: null,
  }
}
