DROP INDEX "webhook_delivery_list";--> statement-breakpoint
ALTER TABLE "event" ADD COLUMN "lease_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "event" ADD COLUMN "lease" uuid;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD COLUMN "event_type" text;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD COLUMN "attempt_log" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "replay_hour" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "replays" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Rows without an event can be neither sent nor listed.
DELETE FROM webhook_delivery delivery
WHERE NOT EXISTS (SELECT FROM event WHERE event.id = delivery.event_id);--> statement-breakpoint
-- The newest 20 attempts, newest first.
UPDATE webhook_delivery delivery
SET event_type = event.type, attempt_log = coalesce((
  SELECT jsonb_agg(jsonb_build_object(
    'startedAt', to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'durationMs', duration_ms, 'statusCode', status_code, 'errorKind', error_kind,
    'responseBody', response_body) ORDER BY number DESC)
  FROM (SELECT * FROM webhook_attempt attempt WHERE attempt.delivery_id = delivery.id
        ORDER BY number DESC LIMIT 20) newest), '[]')
FROM event WHERE event.id = delivery.event_id;--> statement-breakpoint
-- What arrived at the first attempt, many to a row. A row in webhook_delivery counts instead.
INSERT INTO webhook_delivery (id, event_id, endpoint_id, event_type, campaign_id, event_seq, status,
                              attempts, schedule_attempts, attempt_log, delivered_at, created_at)
SELECT entry.id, entry.event_id, batch.endpoint_id, batch.event_type, event.campaign_id, event.seq,
       'delivered', 1, 1, jsonb_build_array(jsonb_build_object(
         'startedAt', to_char(to_timestamp(entry.started_ms / 1000.0) AT TIME ZONE 'UTC',
                              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'durationMs', entry.duration_ms, 'statusCode', entry.status_code, 'errorKind', null,
         'responseBody', coalesce(entry.response_body, ''))),
       batch.delivered_at, batch.created_at
FROM webhook_delivered batch
CROSS JOIN LATERAL unnest(batch.ids, batch.event_ids, batch.started_ms, batch.duration_ms,
                          batch.status_codes, batch.response_bodies)
  AS entry (id, event_id, started_ms, duration_ms, status_code, response_body)
JOIN event ON event.id = entry.event_id
ON CONFLICT DO NOTHING;--> statement-breakpoint
-- What a worker held and had not recorded is due.
INSERT INTO webhook_delivery (id, event_id, endpoint_id, event_type, campaign_id, event_seq,
                              next_attempt_at, created_at)
SELECT entry.id, entry.event_id, entry.endpoint_id, event.type, event.campaign_id, event.seq,
       now(), coalesce(event.relayed_at, event.created_at)
FROM webhook_handover handover
CROSS JOIN LATERAL unnest(handover.ids, handover.event_ids, handover.endpoint_ids)
  AS entry (id, event_id, endpoint_id)
JOIN event ON event.id = entry.event_id
ON CONFLICT DO NOTHING;--> statement-breakpoint
UPDATE webhook_endpoint endpoint SET answered_at = endpoint.created_at
WHERE EXISTS (
  SELECT FROM webhook_delivery delivery
  WHERE delivery.endpoint_id = endpoint.id AND delivery.status = 'delivered');--> statement-breakpoint
ALTER TABLE "webhook_delivery" ALTER COLUMN "event_type" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ALTER COLUMN "event_seq" DROP DEFAULT;--> statement-breakpoint
DROP TABLE "webhook_attempt";--> statement-breakpoint
DROP TABLE "webhook_delivered";--> statement-breakpoint
DROP TABLE "webhook_handover";--> statement-breakpoint
CREATE INDEX "webhook_delivery_undelivered" ON "webhook_delivery" USING btree ("endpoint_id","status","created_at","id") WHERE "webhook_delivery"."status" <> 'delivered';--> statement-breakpoint
CREATE INDEX "webhook_delivery_list" ON "webhook_delivery" USING btree ("endpoint_id","event_type","created_at","id");
