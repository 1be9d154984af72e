-- What identifies a claim of a donation, as a hash: chain, transaction, campaign, position, and the
-- own id of a donation that claims nothing. All parts but the last one have a fixed length, so two
-- different claims never give the same bytes. A missing position counts as the smallest integer.
CREATE FUNCTION claim_key(chain bigint, tx bytea, campaign uuid, place integer, own uuid)
  RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN encode(substr(sha256(int8send(chain) || tx || uuid_send(campaign) ||
    int4send(coalesce(place, -2147483648)) || coalesce(uuid_send(own), ''::bytea)), 1, 16),
    'hex')::uuid;--> statement-breakpoint
-- What identifies a transfer, as a hash. Checks of the table fix the lengths of `tx` and `recipient`.
CREATE FUNCTION transfer_key(chain bigint, tx bytea, place integer, recipient bytea)
  RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN encode(substr(sha256(int8send(chain) || tx || int4send(place) || recipient), 1, 16),
    'hex')::uuid;--> statement-breakpoint
CREATE TABLE "unrelayed_event" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"campaign_id" uuid
);
--> statement-breakpoint
DROP INDEX "donation_campaign";--> statement-breakpoint
DROP INDEX "event_unrelayed";--> statement-breakpoint
DROP INDEX "event_unrelayed_campaign";--> statement-breakpoint
DROP INDEX "webhook_delivery_newest";--> statement-breakpoint
DROP INDEX "chain_transfer_key";--> statement-breakpoint
DROP INDEX "donation_claim";--> statement-breakpoint
DROP INDEX "donation_transfer";--> statement-breakpoint
DROP INDEX "webhook_delivery_type";--> statement-breakpoint
DROP INDEX "ledger_entry_reversed_once";--> statement-breakpoint
DROP INDEX "ledger_entry_released_once";--> statement-breakpoint
ALTER TABLE "notification" ADD COLUMN "campaign_id" uuid;--> statement-breakpoint
ALTER TABLE "notification" ADD COLUMN "donation_id" uuid;--> statement-breakpoint
CREATE INDEX "unrelayed_event_campaign" ON "unrelayed_event" USING btree ("campaign_id","seq");--> statement-breakpoint
CREATE INDEX "chain_transfer_tx_hash" ON "chain_transfer" USING hash ("tx_hash");--> statement-breakpoint
CREATE INDEX "donation_tx_hash" ON "donation" USING hash ("tx_hash");--> statement-breakpoint
CREATE INDEX "donation_not_paid" ON "donation" USING btree ("campaign_id","created_at","id") WHERE "donation"."transfer_id" is null and "donation"."status" <> 'reversed';--> statement-breakpoint
CREATE INDEX "webhook_delivery_completed" ON "webhook_delivery" USING btree ("endpoint_id","created_at","id") WHERE "webhook_delivery"."event_type" = 'donation.completed';--> statement-breakpoint
CREATE INDEX "webhook_delivery_other" ON "webhook_delivery" USING btree ("endpoint_id","created_at","id") WHERE "webhook_delivery"."event_type" <> 'donation.completed';--> statement-breakpoint
CREATE UNIQUE INDEX "chain_transfer_key" ON "chain_transfer" USING btree (transfer_key("chain_id", "tx_hash", "position", "recipient"));--> statement-breakpoint
CREATE UNIQUE INDEX "donation_claim" ON "donation" USING btree (claim_key("chain_id", "tx_hash", "campaign_id", "claimed_position", case when "status" = 'failed' or "intent" then "id" end));--> statement-breakpoint
CREATE UNIQUE INDEX "donation_transfer" ON "donation" USING btree ("transfer_id") WHERE "donation"."transfer_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_delivery_type" ON "webhook_delivery" USING btree ("endpoint_id","event_type","created_at","id") WHERE "webhook_delivery"."event_type" <> 'donation.completed';--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entry_reversed_once" ON "ledger_entry" USING btree ("reverses") WHERE "ledger_entry"."reverses" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entry_released_once" ON "ledger_entry" USING btree ("milestone_id") WHERE "ledger_entry"."escrow_event_id" is null and "ledger_entry"."milestone_id" is not null;--> statement-breakpoint
ALTER TABLE "donation" DROP COLUMN "block_hash";--> statement-breakpoint
-- The events without deliveries wait in a table of their own.
INSERT INTO "unrelayed_event" ("seq", "campaign_id")
  SELECT "seq", "campaign_id" FROM "event" WHERE "relayed_at" IS NULL;--> statement-breakpoint
ALTER TABLE "event" DROP COLUMN "relayed_at";--> statement-breakpoint
ALTER TABLE "event" RENAME COLUMN "body" TO "packed";--> statement-breakpoint
-- From version 18 on, PostgreSQL names the constraint after its column.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'event_body_not_null') THEN
    ALTER TABLE "event" RENAME CONSTRAINT "event_body_not_null" TO "event_packed_not_null";
  END IF;
END $$;--> statement-breakpoint
-- The body of an event, which `packBody` has shortened: a control character stands for a phrase or
-- for the value of another column. PostgreSQL reads `event.body` as a call of this function.
CREATE FUNCTION body(event event) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(event.packed,
    E'\x06', split_part(split_part(event.packed, E'\x11', 2), E'\x12', 1)),
    E'\x10', E'{"id":"\x01","event":"donation.completed","created":"\x02","data":{"donationId":"'),
    E'\x11', E'","campaignId":"\x03","amount":{"value":"'),
    E'\x12', E'"},"declaredAmount":{"value":"'),
    E'\x13', E'"},"confirmedAmount":{"value":"'),
    E'\x14', E'"},"creditedAmount":{"value":"'),
    E'\x15', E'"},"discrepancy":false,"status":"completed","transaction":{"ledgerTxId":"0x'),
    E'\x16', E'","timestamp":"'),
    E'\x17', E'"},"userId":"\x04","confirmations":'),
    E'\x18', E'"},"userId":'),
    E'\x19', E'","currency":"'),
    E'\x1a', E'{"id":"\x01","event":"'),
    E'\x1b', E'","created":"\x02","data":{"'),
    E'\x01', event.id::text),
    E'\x02', to_char(event.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    E'\x03', coalesce(event.campaign_id::text, '')),
    E'\x04', coalesce(event.audience[1]::text, '')),
    E'\x05', coalesce(event.audience[2]::text, ''));--> statement-breakpoint
UPDATE "notification"
  SET "campaign_id" = ("data" ->> 'campaignId')::uuid, "donation_id" = ("data" ->> 'donationId')::uuid,
      "data" = "data" - '{campaignId,donationId}'::text[];
