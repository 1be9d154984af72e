import type { EventType } from '../../outbox/events.ts'

export type EndpointView = {
  id: string
  url: string
  events: EventType[]
  description: string | null
  status: 'active' | 'disabled'
  /** `gone`: it answered 410. `failing`: nothing has arrived for five days. */
  disabledReason: 'gone' | 'failing' | null
  createdAt: Date
}

export type EndpointRow = {
  id: string
  user_id: string
  url: string
  events: EventType[]
  description: string | null
  status: 'active' | 'disabled'
  disabled_reason: 'gone' | 'failing' | null
  created_at: Date
}

export const toEndpointView = (row: EndpointRow): EndpointView => ({
  id: row.id,
  url: row.url,
  events: row.events,
  description: row.description,
  status: row.status,
  disabledReason: row.disabled_reason,
  createdAt: row.created_at,
})
