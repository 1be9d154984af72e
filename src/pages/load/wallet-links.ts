import type { PaymentView } from '../../domain/donations/index.ts'
import type { WalletLink } from '../shared/payment.ts'

/** Links that open a page in the browsers of wallet apps, by the documents of the wallets. */
export const walletLinks = ({ href, host, pathname, search }: URL): WalletLink[] => {
  const encoded = encodeURIComponent(href)
  return [
    { name: 'MetaMask', href: `https://link.metamask.io/dapp/${host}${pathname}${search}` },
    { name: 'Coinbase Wallet', href: `https://go.cb-w.com/dapp?cb_url=${encoded}` },
    {
      name: 'Trust Wallet',
      href: `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}`,
    },
  ]
}

type Payment = Pick<PaymentView, 'uri' | 'chainId' | 'account' | 'token' | 'amount'>

/**
 * Links that open a wallet app with a plain payment filled in, by the documents of the wallets.
 * MetaMask takes the EIP-681 URI. Trust Wallet has a number of its own for each chain, so it gets
 * only payments on Ethereum, whose number its document names.
 */
export const payLinks = ({ uri, chainId, account, token, amount }: Payment): WalletLink[] => {
  const asset = token === null ? 'c60' : `c60_t${token}`
  const trust = {
    name: 'Trust Wallet',
    href: `https://link.trustwallet.com/send?asset=${asset}&address=${account}&amount=${amount}`,
  }
  return [
    { name: 'MetaMask', href: uri.replace('ethereum:', 'https://link.metamask.io/send/') },
    ...(chainId === 1 ? [trust] : []),
  ]
}
