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
ALTER TABLE "donation" DROP CONSTRAINT "donation_confirmed_asset_id_asset_id_fk";
--> statement-breakpoint
DROP INDEX "donation_campaign";--> statement-breakpoint
DROP INDEX "chain_transfer_key";--> statement-breakpoint
DROP INDEX "donation_claim";--> statement-breakpoint
DROP INDEX "donation_transfer";--> statement-breakpoint
DROP INDEX "ledger_entry_reversed_once";--> statement-breakpoint
DROP INDEX "ledger_entry_released_once";--> statement-breakpoint
CREATE INDEX "chain_transfer_tx_hash" ON "chain_transfer" USING hash ("tx_hash");--> statement-breakpoint
CREATE INDEX "donation_tx_hash" ON "donation" USING hash ("tx_hash");--> statement-breakpoint
CREATE INDEX "donation_not_paid" ON "donation" USING btree ("campaign_id","created_at","id") WHERE "donation"."transfer_id" is null and "donation"."status" <> 'reversed';--> statement-breakpoint
CREATE UNIQUE INDEX "chain_transfer_key" ON "chain_transfer" USING btree (transfer_key("chain_id", "tx_hash", "position", "recipient"));--> statement-breakpoint
CREATE UNIQUE INDEX "donation_claim" ON "donation" USING btree (claim_key("chain_id", "tx_hash", "campaign_id", "claimed_position", case when "status" = 'failed' or "intent" then "id" end));--> statement-breakpoint
CREATE UNIQUE INDEX "donation_transfer" ON "donation" USING btree ("transfer_id") WHERE "donation"."transfer_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entry_reversed_once" ON "ledger_entry" USING btree ("reverses") WHERE "ledger_entry"."reverses" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entry_released_once" ON "ledger_entry" USING btree ("milestone_id") WHERE "ledger_entry"."escrow_event_id" is null and "ledger_entry"."milestone_id" is not null;--> statement-breakpoint
ALTER TABLE "donation" DROP COLUMN "block_hash";--> statement-breakpoint
ALTER TABLE "donation" DROP COLUMN "confirmed_asset_id";--> statement-breakpoint
ALTER TABLE "donation" DROP COLUMN "confirmed_amount";