import { readFileSync } from 'node:fs'
import { Interface, type InterfaceAbi, id } from 'ethers'
import { expect, test } from 'vitest'
import { compileContract, contractNames } from '../../../contracts-abi/build.ts'
import { encodeAddressAmount, selectors } from '../../../contracts-abi/index.ts'
import { aggregatorV3Abi, testAggregator } from '../../../contracts-abi/test-contracts.ts'

const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test.each(contractNames())('compiling %s again gives exactly what is stored', (name) => {
  const stored = new URL(`../../../contracts-abi/${name}.json`, import.meta.url)
  expect(compileContract(name)).toEqual(JSON.parse(readFileSync(stored, 'utf8')))
})

test('selectors are the first four bytes of the hashed signatures', () => {
  const selector = (signature: string) => id(signature).slice(0, 10)
  expect(selectors).toEqual({
    mint: selector('mint(address,uint256)'),
    transfer: selector('transfer(address,uint256)'),
    balanceOf: selector('balanceOf(address)'),
    isSanctioned: selector('isSanctioned(address)'),
    latestRoundData: selector('latestRoundData()'),
    getRoundData: selector('getRoundData(uint80)'),
    decimals: selector('decimals()'),
    description: selector('description()'),
  })
})

test('the feed that tests write to answers as a feed does', () => {
  const feed = new Interface(aggregatorV3Abi)
  const own = new Interface(testAggregator.abi as InterfaceAbi)
  for (const name of ['decimals', 'description', 'latestRoundData', 'getRoundData']) {
    expect(own.getFunction(name)?.format('minimal')).toBe(feed.getFunction(name)?.format('minimal'))
  }
})

test('encodes an address and an amount as two words, and refuses what does not fit', () => {
  expect(encodeAddressAmount(selectors.transfer, ACCOUNT, 255n)).toBe(
    `0xa9059cbb${'0'.repeat(24)}${ACCOUNT.slice(2).toLowerCase()}${'0'.repeat(62)}ff`,
  )
  expect(() => encodeAddressAmount(selectors.transfer, '0x12', 1n)).toThrow(RangeError)
  expect(() => encodeAddressAmount(selectors.transfer, ACCOUNT, -1n)).toThrow(RangeError)
  expect(() => encodeAddressAmount(selectors.transfer, ACCOUNT, 2n ** 256n)).toThrow(RangeError)
})
