import { expect, test } from 'vitest'
import { NOTIFICATION_TYPES } from '../../../src/domain/people/index.ts'
import { renderNotification } from '../../../src/domain/people/notification/render.ts'
import type { NotificationValues } from '../../../src/domain/people/notification/texts.ts'

const money = { amount: '12.5', currency: 'USDC', campaign: 'Wells' }
const milestone = { milestone: 'Survey', campaign: 'Wells' }
const VALUES: { [T in keyof NotificationValues]: NotificationValues[T][] } = {
  donation_completed: [
    { ...money, to: 'donor' },
    { ...money, to: 'creator' },
  ],
  donation_reversed: [
    { ...money, to: 'donor', reason: 'reorganised' },
    { ...money, to: 'creator', reason: 'reorganised' },
    { ...money, to: 'donor', reason: 'moved_to_wallet_owner' },
    { ...money, to: 'creator', reason: 'moved_to_wallet_owner' },
  ],
  deposit_unclaimed: [money],
  milestone_reached: [milestone],
  campaign_funded: [money],
  milestone_verified: [milestone],
  milestone_rejected: [milestone],
  release_waiting: [milestone],
  campaign_failed: [money],
  refund_ready: [money],
  donation_refunded: [money, { ...money, receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
  impact_verified: [{ campaign: 'Wells' }],
  webhook_disabled: [
    { url: 'https://example.org/hook', reason: 'gone' },
    { url: 'https://example.org/hook', reason: 'failing' },
  ],
}

test('every language says every notification in words of its own, with all of its values', () => {
  const titles = new Map<string, string>()
  for (const lang of ['en', 'es', 'fr', 'de', 'pt']) {
    for (const type of NOTIFICATION_TYPES) {
      for (const values of VALUES[type]) {
        const { title, message } = renderNotification(type, lang, values)
        expect(title).not.toBe('')
        for (const [name, value] of Object.entries(values)) {
          if (name !== 'to' && name !== 'reason') expect(message).toContain(value)
        }
        expect(titles.get(title) ?? lang).toBe(lang)
        titles.set(title, lang)
      }
    }
  }
})

test('names a reorganisation only where there was one, in every language', () => {
  for (const lang of ['en', 'es', 'fr', 'de', 'pt']) {
    const message = (reason: 'reorganised' | 'moved_to_wallet_owner') =>
      renderNotification('donation_reversed', lang, { ...money, to: 'donor', reason }).message
    expect(message('reorganised')).toMatch(/r[eé]organi/)
    expect(message('moved_to_wallet_owner')).not.toMatch(/r[eé]organi/)
  }
})

test('a long title is shortened without breaking a character', () => {
  const { message } = renderNotification('impact_verified', 'en', { campaign: '🌊'.repeat(200) })
  expect(message.isWellFormed()).toBe(true)
  expect(message).toContain(`${'🌊'.repeat(119)}…”`)
})
