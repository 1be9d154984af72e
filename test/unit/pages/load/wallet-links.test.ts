import { expect, test } from 'vitest'
import { payLinks, walletLinks } from '../../../../src/pages/load/wallet-links.ts'

test('opens a page in wallet apps by the links that their documents describe', () => {
  const links = walletLinks(
    new URL('https://give.example:8443/c/roof/donate?amount=5&currency=USDC'),
  )
  expect(links.map(({ href }) => href)).toEqual([
    'https://link.metamask.io/dapp/give.example:8443/c/roof/donate?amount=5&currency=USDC',
    'https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Fgive.example%3A8443%2Fc%2Froof%2Fdonate%3Famount%3D5%26currency%3DUSDC',
    'https://link.trustwallet.com/open_url?coin_id=60&url=https%3A%2F%2Fgive.example%3A8443%2Fc%2Froof%2Fdonate%3Famount%3D5%26currency%3DUSDC',
  ])
})

test('opens a payment in wallet apps by the links that their documents describe', () => {
  const [account, token] = ['0xA1', '0xB2']
  const uri = `ethereum:${token}@1/transfer?address=${account}&uint256=12500000`
  const paid = { uri, chainId: 1, account, token, amount: '12.5' }
  expect(payLinks(paid).map(({ href }) => href)).toEqual([
    'https://link.metamask.io/send/0xB2@1/transfer?address=0xA1&uint256=12500000',
    'https://link.trustwallet.com/send?asset=c60_t0xB2&address=0xA1&amount=12.5',
  ])
  const coin = { ...paid, uri: `ethereum:${account}@1?value=5`, token: null }
  expect(payLinks(coin)[1]?.href).toContain('asset=c60&address=0xA1')
  expect(payLinks({ ...paid, chainId: 8453 }).map(({ name }) => name)).toEqual(['MetaMask'])
})
