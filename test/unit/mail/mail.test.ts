import { describe, expect, test } from 'vitest'
import { createPrintedTransport, renderStoredMail } from '../../../src/mail/index.ts'
import { renderMail } from '../../../src/mail/render.ts'

const VALUES = { code: '493021', minutes: 10 }

describe('mail', () => {
  test.each(['en', 'es', 'fr', 'de', 'pt'])('says everything in %s', (lang) => {
    for (const template of ['verify_email', 'reset_password', 'change_email'] as const) {
      const { subject, text } = renderMail(template, lang, VALUES)
      expect(subject.length).toBeGreaterThan(5)
      expect(text).toContain('493021')
      expect(text).toContain('10')
    }
    for (const reason of ['gone', 'failing'] as const) {
      const { text } = renderMail('endpoint_disabled', lang, { url: 'https://a.example/', reason })
      expect(text).toContain('https://a.example/')
    }
    const said = new Set<string>()
    const changes = [{ change: 'email' }, { change: 'wallet', wallet: '0xabc' }] as const
    for (const change of changes) {
      const { subject, text } = renderMail('account_changed', lang, change)
      for (const part of [subject, text]) expect(part.length).toBeGreaterThan(10)
      said.add(text)
    }
    expect([...said][1]).toContain('\n    0xabc\n')
    said.add(renderMail('email_taken', lang, {}).text)
    expect(said.size).toBe(3)
    const lists = { wallets: ['0xa'], webhooks: ['https://a.example/'], roles: ['verifier'] }
    const changed = [true, false].map((isKept) => {
      const values = { isKept, ...lists, campaigns: ['Wells'] }
      const { text } = renderMail('password_changed', lang, values)
      for (const [line] of [...Object.values(lists), ['Wells']]) {
        expect(text).toMatch(new RegExp(`^\\S.*:\n    ${line}$`, 'm'))
      }
      return text
    })
    expect(changed[0]).not.toBe(changed[1])
    const none = { isKept: false, wallets: [], webhooks: [], campaigns: [], roles: [] }
    expect(renderMail('password_changed', lang, none).text).not.toMatch(/:|\n\n\n/)
  })

  test('knows regional languages and falls back to English', () => {
    const english = renderMail('verify_email', 'en', VALUES)
    expect(renderMail('verify_email', 'pt-BR', VALUES)).toEqual(
      renderMail('verify_email', 'pt', VALUES),
    )
    for (const lang of ['xx', '', 'constructor', '__proto__']) {
      expect(renderMail('verify_email', lang, VALUES)).toEqual(english)
    }
  })

  test('refuses stored values that do not fit their template', () => {
    expect(() => renderStoredMail('verify_email', 'en', { code: 1 })).toThrow()
    expect(() => renderStoredMail('no_such_mail', 'en', VALUES)).toThrow('no mail called')
  })

  test('is printed as one readable block', async () => {
    const blocks: string[] = []
    const transport = createPrintedTransport((block) => blocks.push(block))
    const { subject, text } = renderMail('verify_email', 'en', VALUES)
    await transport.send({ id: '1', to: 'ada@example.com', subject, text })
    expect(blocks).toHaveLength(1)
    expect(blocks[0]).toContain('│ To: ada@example.com\n│ Subject: 493021 is your Fundproof code')
    expect(blocks[0]).toContain('│     493021\n')
  })
})
