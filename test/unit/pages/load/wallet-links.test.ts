import { expect, test } from 'vitest'
import { walletLinks } from '../../../../src/pages/load/payable.ts'

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
