import { expect, test } from 'vitest'
import { startChain } from '../../support/chain-facts.ts'
import { createTestPages } from './support/test-pages.ts'

test('shows the chains to everybody, and why donations are late', async () => {
  const pages = await createTestPages()
  const shown = async () => {
    const { status, html } = await pages.visit('/status?utm_source=mail')
    expect(status).toBe(200)
    return html
  }
  expect(await shown()).toContain('Not read yet')
  await startChain(pages.ctx)
  expect(await shown()).toContain('All chains are followed')
  await pages.ctx.sql`update chain_state set halted_at = now(), problem = 'wrong at s3cret.example'`
  const halted = await shown()
  expect(halted).toContain('Some donations are credited late')
  expect(halted).toContain('Stopped')
  expect(halted).not.toContain('s3cret')
})

test('streams the state of the chains in the language of the page', async () => {
  const pages = await createTestPages()
  await startChain(pages.ctx)
  const answer = await pages.site.request('/status/live?lang=de')
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = answer.body?.getReader()
  let text = ''
  while (!text.includes('\n\nevent: chains') && reader) {
    const { value, done } = await reader.read()
    if (done) break
    text += new TextDecoder().decode(value)
  }
  await reader?.cancel()
  expect(text).toMatch(/^retry: \d+\n\nevent: chains\ndata: .*Alle Chains werden verfolgt/)
})
