import { expect, test } from 'vitest'
import { bodyFields, createModel } from '../../../clients/generate/model.ts'
import { readInterface } from '../../support/interface.ts'

const { text, operations } = readInterface()
const model = createModel(text, '1.2.3')
const methodAt = (place: string) => {
  const found = model.operations.find(({ at }) => at.join('.') === place)
  if (!found) throw new Error(`No method ${place}`)
  return found
}
const object = (name: string) => model.objects.find((one) => one.name === name)
const fieldNames = (name: string) => object(name)?.fields.map((field) => field.name)

test('has a method for every operation, each at its own place', () => {
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(model.operations.map(({ id }) => id))).toEqual(new Set(ids))
  const places = model.operations.map(({ at }) => at.join('.'))
  expect(new Set(places).size).toBe(places.length)
})

test('names fields in camelCase and keeps their wire names', () => {
  const fields = object('Campaign')?.fields ?? []
  expect(fields.map(({ wire, name }) => [wire, name])).toContainEqual(['_id', 'id'])
  expect(fields.map(({ wire, name }) => [wire, name])).toContainEqual([
    'target_amount',
    'targetAmount',
  ])
  for (const { fields: all } of model.objects) {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  }
})

test('gives equal schemas one name', () => {
  expect(model.objects.map(({ name }) => name).filter((name) => /Location/.test(name))).toEqual([
    'LocationInput',
    'CampaignLocation',
  ])
  expect(object('Money')).toMatchObject({ in: true, out: true })
  expect(new Set(model.objects.map(({ name }) => name)).size).toBe(model.objects.length)
})

test('reads amounts, times, nullable and open values', () => {
  const field = (name: string, of = 'Donation') =>
    object(of)?.fields.find((one) => one.name === name)
  expect(field('value', 'Money')?.type).toEqual({ kind: 'amount' })
  expect(field('completedAt')).toMatchObject({ type: { kind: 'time' }, nullable: true })
  expect(field('reason')?.type).toEqual({ kind: 'enum', name: 'FailureReason' })
  expect(field('escrow', 'Campaign')).toMatchObject({ required: false, nullable: false })
  expect(field('logPosition', 'Deposit')?.type).toMatchObject({
    kind: 'union',
    of: [{ kind: 'integer' }, { value: 'native' }, { value: 'internal' }],
  })
})

test('finds the field that tells the members of a union apart', () => {
  expect(model.unions.map(({ name, by }) => [name, by])).toEqual([
    ['PaymentMethod', 'method'],
    ['FundproofEvent', 'event'],
  ])
})

test('takes the content out of the envelope', () => {
  expect(methodAt('donations.record').answer).toMatchObject({ kind: 'content', wire: 'donation' })
  expect(methodAt('campaigns.list').answer).toMatchObject({ kind: 'list', by: 'cursor' })
  expect(methodAt('events.list').answer).toMatchObject({ kind: 'list', by: 'after' })
  expect(methodAt('campaigns.get').answer).toMatchObject({ kind: 'whole' })
  expect(methodAt('keys.revoke').answer).toEqual({ kind: 'none' })
  expect(fieldNames('SignedIn')).toEqual(['user', 'tokens'])
})

test('gives a use of an operation its own method', () => {
  const fields = bodyFields(model, methodAt('donations.intend')).map(({ name }) => name)
  expect(fields).toContain('amount')
  expect(fields).not.toContain('transaction')
  expect(methodAt('reconciliation.csv')).toMatchObject({
    answer: { kind: 'csv' },
    fixedQuery: { format: 'csv' },
  })
})

test('marks only objects as verbatim that no client reads', () => {
  expect(object('TypedData')).toMatchObject({ verbatim: true })
  expect(object('MilestoneDecision')).toMatchObject({ verbatim: true })
  expect(object('ReadyTransaction')).toMatchObject({ verbatim: false })
})

test('depends on the document, but not on samples in it', () => {
  const document = JSON.parse(text)
  document.paths['/api/donations'].post['x-codeSamples'] = [{ lang: 'Python' }]
  expect(createModel(JSON.stringify(document), '1.2.3').sha256).toBe(model.sha256)
  document.paths['/api/donations'].post.summary = 'Another.'
  expect(createModel(JSON.stringify(document), '1.2.3').sha256).not.toBe(model.sha256)
})
