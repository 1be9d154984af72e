-- Hashes and addresses become bytes, which take half the space of their hex text.
CREATE FUNCTION bytes_of(hex text) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN decode(substr(hex, 3), 'hex');--> statement-breakpoint
CREATE FUNCTION hex_of(bytes bytea) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN '0x' || encode(bytes, 'hex');--> statement-breakpoint
-- The view names a column whose type changes.
DROP VIEW standing_entry;--> statement-breakpoint
-- An expression of the index compares a hash with a text.
DROP INDEX ledger_difference_open;--> statement-breakpoint
ALTER TABLE "signature_challenge"
  ALTER COLUMN "address" TYPE bytea USING bytes_of("address");--> statement-breakpoint
ALTER TABLE "wallet"
  DROP CONSTRAINT "wallet_address_form",
  ALTER COLUMN "address" TYPE bytea USING bytes_of("address"),
  ADD CONSTRAINT "wallet_address_form" CHECK (octet_length("wallet"."address") = 20);--> statement-breakpoint
ALTER TABLE "campaign"
  DROP CONSTRAINT "campaign_account",
  ALTER COLUMN "account" TYPE bytea USING bytes_of("account"),
  ADD CONSTRAINT "campaign_account" CHECK (octet_length("campaign"."account") = 20);--> statement-breakpoint
ALTER TABLE "chain_block"
  ALTER COLUMN "hash" TYPE bytea USING bytes_of("hash"),
  ALTER COLUMN "parent_hash" TYPE bytea USING bytes_of("parent_hash");--> statement-breakpoint
ALTER TABLE "chain_price"
  ALTER COLUMN "block_hash" TYPE bytea USING bytes_of("block_hash");--> statement-breakpoint
ALTER TABLE "chain_state"
  ALTER COLUMN "cursor_hash" TYPE bytea USING bytes_of("cursor_hash");--> statement-breakpoint
ALTER TABLE "chain_transfer"
  ALTER COLUMN "tx_hash" TYPE bytea USING bytes_of("tx_hash"),
  ALTER COLUMN "sender" TYPE bytea USING bytes_of("sender"),
  ALTER COLUMN "recipient" TYPE bytea USING bytes_of("recipient"),
  ALTER COLUMN "block_hash" TYPE bytea USING bytes_of("block_hash"),
  ADD CONSTRAINT "chain_transfer_tx" CHECK (octet_length("chain_transfer"."tx_hash") = 32),
  ADD CONSTRAINT "chain_transfer_to" CHECK (octet_length("chain_transfer"."recipient") = 20);--> statement-breakpoint
ALTER TABLE "donation"
  DROP CONSTRAINT "donation_tx",
  ALTER COLUMN "donor_wallet" TYPE bytea USING bytes_of("donor_wallet"),
  ALTER COLUMN "tx_hash" TYPE bytea USING bytes_of("tx_hash"),
  ALTER COLUMN "attached_tx_hash" TYPE bytea USING bytes_of("attached_tx_hash"),
  ALTER COLUMN "tx_sender" TYPE bytea USING bytes_of("tx_sender"),
  ALTER COLUMN "original_tx_hash" TYPE bytea USING bytes_of("original_tx_hash"),
  ALTER COLUMN "replaced_by" TYPE bytea USING bytes_of("replaced_by"),
  ALTER COLUMN "ledger_address" TYPE bytea USING bytes_of("ledger_address"),
  ALTER COLUMN "block_hash" TYPE bytea USING bytes_of("block_hash"),
  ADD CONSTRAINT "donation_ledger_address" CHECK (octet_length("donation"."ledger_address") = 20),
  ADD CONSTRAINT "donation_tx" CHECK (octet_length("donation"."tx_hash") = 32);--> statement-breakpoint
-- What a proof says about its payer becomes a column, and its JSON text becomes bytes.
ALTER TABLE "donation_proof" ADD COLUMN "sender" bytea;--> statement-breakpoint
UPDATE "donation_proof" SET "sender" = bytes_of("proof" ->> 'sender'), "proof" = "proof" - 'sender';--> statement-breakpoint
ALTER TABLE "donation_proof"
  ALTER COLUMN "proof" TYPE bytea USING convert_to("proof"::text, 'UTF8'),
  ALTER COLUMN "block_hash" TYPE bytea USING bytes_of("block_hash");--> statement-breakpoint
ALTER TABLE "escrow_event"
  ALTER COLUMN "account" TYPE bytea USING bytes_of("account"),
  ALTER COLUMN "tx_hash" TYPE bytea USING bytes_of("tx_hash"),
  ALTER COLUMN "block_hash" TYPE bytea USING bytes_of("block_hash");--> statement-breakpoint
ALTER TABLE "milestone_verification"
  ALTER COLUMN "evidence_hash" TYPE bytea USING bytes_of("evidence_hash"),
  ALTER COLUMN "signer" TYPE bytea USING bytes_of("signer");--> statement-breakpoint
ALTER TABLE "ledger_entry"
  ALTER COLUMN "block_hash" TYPE bytea USING bytes_of("block_hash");--> statement-breakpoint
ALTER TABLE "account_balance"
  ALTER COLUMN "account" TYPE bytea USING bytes_of("account"),
  ALTER COLUMN "block_hash" TYPE bytea USING bytes_of("block_hash");--> statement-breakpoint
ALTER TABLE "ledger_difference"
  ALTER COLUMN "account" TYPE bytea USING bytes_of("account"),
  ALTER COLUMN "block_hash" TYPE bytea USING bytes_of("block_hash"),
  ALTER COLUMN "tx_hash" TYPE bytea USING bytes_of("tx_hash");--> statement-breakpoint
ALTER TABLE "reconciliation_run"
  ALTER COLUMN "last_hash" TYPE bytea USING bytes_of("last_hash");--> statement-breakpoint
ALTER TABLE "ledger_seal"
  ALTER COLUMN "root" TYPE bytea USING bytes_of("root"),
  ALTER COLUMN "previous_head" TYPE bytea USING bytes_of("previous_head"),
  ALTER COLUMN "head" TYPE bytea USING bytes_of("head"),
  ALTER COLUMN "previous_global_head" TYPE bytea USING bytes_of("previous_global_head"),
  ALTER COLUMN "global_head" TYPE bytea USING bytes_of("global_head");--> statement-breakpoint
ALTER TABLE "lost_head"
  ALTER COLUMN "global_head" TYPE bytea USING bytes_of("global_head"),
  ALTER COLUMN "head" TYPE bytea USING bytes_of("head");--> statement-breakpoint
ALTER TABLE "sealed_entry"
  ALTER COLUMN "leaf" TYPE bytea USING bytes_of("leaf");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_difference_open" ON "ledger_difference" USING btree ("kind","chain_id","account","asset_id","block_number",coalesce("tx_hash", '\x'),coalesce("campaign_id"::text, '')) WHERE "ledger_difference"."resolved_at" is null;--> statement-breakpoint
-- The entries without a reversal. The rights of the caller apply, so no entry can be changed by it.
CREATE VIEW standing_entry WITH (security_invoker = true) AS
  SELECT * FROM ledger_entry entry
  WHERE NOT EXISTS (SELECT FROM ledger_entry reversal WHERE reversal.reverses = entry.id);
