CREATE TABLE "chain_price" (
	"chain_id" bigint NOT NULL,
	"pair" text NOT NULL,
	"block_hash" text NOT NULL,
	"block_number" bigint NOT NULL,
	"price" text NOT NULL,
	"feed" text NOT NULL,
	"round_id" text NOT NULL,
	"answer" text NOT NULL,
	"decimals" integer NOT NULL,
	"feed_updated_at" timestamp (3) with time zone NOT NULL,
	"method" text DEFAULT 'block' NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chain_price_pk" PRIMARY KEY("chain_id","pair","block_hash"),
	CONSTRAINT "chain_price_method" CHECK ("chain_price"."method" in ('block','round'))
);
--> statement-breakpoint
CREATE TABLE "donation_proof" (
	"donation_id" uuid PRIMARY KEY NOT NULL,
	"transfer_id" uuid NOT NULL,
	"chain_id" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"version" integer NOT NULL,
	"proof" jsonb,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_balance" (
	"chain_id" bigint NOT NULL,
	"account" text NOT NULL,
	"asset_id" text NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"balance" numeric(96,0) NOT NULL,
	"nonce" bigint,
	"checked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_balance_pk" PRIMARY KEY("chain_id","account","asset_id")
);
--> statement-breakpoint
CREATE TABLE "ledger_difference" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"chain_id" bigint NOT NULL,
	"campaign_id" uuid,
	"account" text NOT NULL,
	"asset_id" text NOT NULL,
	"block_number" bigint NOT NULL,
	"first_block" bigint NOT NULL,
	"block_hash" text,
	"tx_hash" text,
	"expected" numeric(96,0) NOT NULL,
	"actual" numeric(96,0) NOT NULL,
	"note" text NOT NULL,
	"run_id" uuid,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolution" text
);
--> statement-breakpoint
CREATE TABLE "reconciliation_run" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"origin" text NOT NULL,
	"from_block" bigint NOT NULL,
	"to_block" bigint NOT NULL,
	"next_block" bigint NOT NULL,
	"last_hash" text,
	"status" text NOT NULL,
	"transfers" bigint DEFAULT 0 NOT NULL,
	"recovered" bigint DEFAULT 0 NOT NULL,
	"differences" bigint DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "reconciliation_run_status" CHECK ("reconciliation_run"."status" in ('running','finished','failed'))
);
--> statement-breakpoint
CREATE TABLE "ledger_seal" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_seal_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"campaign_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"version" integer NOT NULL,
	"entries" integer NOT NULL,
	"total_entries" bigint NOT NULL,
	"root" text NOT NULL,
	"previous_head" text NOT NULL,
	"head" text NOT NULL,
	"previous_global_head" text NOT NULL,
	"global_head" text NOT NULL,
	"key_id" text NOT NULL,
	"signature" text NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seal_key" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"private_sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sealed_entry" (
	"entry_id" bigint PRIMARY KEY NOT NULL,
	"seal_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"leaf" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "signature_challenge" DROP CONSTRAINT "signature_challenge_purpose";--> statement-breakpoint
ALTER TABLE "ledger_account" DROP CONSTRAINT "ledger_account_kind";--> statement-breakpoint
ALTER TABLE "ledger_entry" DROP CONSTRAINT "ledger_entry_kind";--> statement-breakpoint
DROP INDEX "chain_transfer_key";--> statement-breakpoint
DROP INDEX "donation_claim";--> statement-breakpoint
DROP INDEX "ledger_entry_once";--> statement-breakpoint
ALTER TABLE "donation" ALTER COLUMN "tx_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "signature_challenge" ADD COLUMN "transfer_id" uuid;--> statement-breakpoint
ALTER TABLE "campaign" ADD COLUMN "never_opened" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_state" ADD COLUMN "booked_number" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_state" ADD COLUMN "finalized_moved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "chain_state" ADD COLUMN "halted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "chain_transfer" ADD COLUMN "source" text DEFAULT 'log' NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_transfer" ADD COLUMN "announce_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "donation" ADD COLUMN "intent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "donation" ADD COLUMN "paid_late" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "donation" ADD COLUMN "tx_sender" text;--> statement-breakpoint
ALTER TABLE "donation" ADD COLUMN "tx_nonce" bigint;--> statement-breakpoint
ALTER TABLE "donation" ADD COLUMN "original_tx_hash" text;--> statement-breakpoint
ALTER TABLE "donation" ADD COLUMN "replaced_by" text;--> statement-breakpoint
ALTER TABLE "donation" ADD COLUMN "wallet_proven" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "donation" ADD COLUMN "lost_transfer_id" uuid;--> statement-breakpoint
ALTER TABLE "donation" ADD COLUMN "price_source" jsonb;--> statement-breakpoint
ALTER TABLE "donation_proof" ADD CONSTRAINT "donation_proof_donation_id_donation_id_fk" FOREIGN KEY ("donation_id") REFERENCES "public"."donation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donation_proof" ADD CONSTRAINT "donation_proof_transfer_id_chain_transfer_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."chain_transfer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_balance" ADD CONSTRAINT "account_balance_asset_id_asset_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_difference" ADD CONSTRAINT "ledger_difference_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_difference" ADD CONSTRAINT "ledger_difference_asset_id_asset_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_difference" ADD CONSTRAINT "ledger_difference_run_id_reconciliation_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."reconciliation_run"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_seal" ADD CONSTRAINT "ledger_seal_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sealed_entry" ADD CONSTRAINT "sealed_entry_entry_id_ledger_entry_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."ledger_entry"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sealed_entry" ADD CONSTRAINT "sealed_entry_seal_id_ledger_seal_id_fk" FOREIGN KEY ("seal_id") REFERENCES "public"."ledger_seal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chain_price_block" ON "chain_price" USING btree ("chain_id","block_number");--> statement-breakpoint
CREATE INDEX "donation_proof_due" ON "donation_proof" USING btree ("chain_id","next_try_at") WHERE "donation_proof"."proof" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_difference_open" ON "ledger_difference" USING btree ("kind","chain_id","account","asset_id","block_number",coalesce("tx_hash", ''),coalesce("campaign_id"::text, '')) WHERE "ledger_difference"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "ledger_difference_newest" ON "ledger_difference" USING btree ("opened_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "ledger_difference_campaign" ON "ledger_difference" USING btree ("campaign_id");--> statement-breakpoint
CREATE INDEX "reconciliation_run_chain" ON "reconciliation_run" USING btree ("chain_id","started_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_seal_key" ON "ledger_seal" USING btree ("campaign_id","seq");--> statement-breakpoint
CREATE INDEX "sealed_entry_seal" ON "sealed_entry" USING btree ("seal_id","position");--> statement-breakpoint
ALTER TABLE "signature_challenge" ADD CONSTRAINT "signature_challenge_transfer_id_chain_transfer_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."chain_transfer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donation" ADD CONSTRAINT "donation_lost_transfer_id_chain_transfer_id_fk" FOREIGN KEY ("lost_transfer_id") REFERENCES "public"."chain_transfer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chain_transfer_recipient" ON "chain_transfer" USING btree ("chain_id","recipient","block_number");--> statement-breakpoint
CREATE INDEX "chain_transfer_sender" ON "chain_transfer" USING btree ("chain_id","sender");--> statement-breakpoint
CREATE INDEX "chain_transfer_announce" ON "chain_transfer" USING btree ("announce_at") WHERE "chain_transfer"."announce_at" is not null;--> statement-breakpoint
CREATE INDEX "donation_open_intent" ON "donation" USING btree ("chain_id","donor_wallet") WHERE "donation"."intent" and "donation"."tx_hash" is null;--> statement-breakpoint
CREATE INDEX "donation_unseen" ON "donation" USING btree ("user_id") WHERE "donation"."status" = 'pending' and "donation"."checks" > 0 and "donation"."reason" = 'waiting_for_transaction';--> statement-breakpoint
CREATE INDEX "donation_unpaid" ON "donation" USING btree ("user_id") WHERE "donation"."intent" and "donation"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "donation_original_tx_hash" ON "donation" USING btree ("original_tx_hash") WHERE "donation"."original_tx_hash" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "chain_transfer_key" ON "chain_transfer" USING btree ("chain_id","tx_hash","position","recipient");--> statement-breakpoint
CREATE UNIQUE INDEX "donation_claim" ON "donation" USING btree ("chain_id","tx_hash","campaign_id",coalesce("claimed_position", -2147483648)) WHERE "donation"."status" <> 'failed' and not "donation"."intent";--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entry_once" ON "ledger_entry" USING btree ("transfer_id","generation","kind") WHERE "ledger_entry"."kind" in ('deposit','donation','conversion');--> statement-breakpoint
ALTER TABLE "signature_challenge" ADD CONSTRAINT "signature_challenge_purpose" CHECK ("signature_challenge"."purpose" in ('link_wallet','campaign_account','claim_deposit'));--> statement-breakpoint
ALTER TABLE "chain_transfer" ADD CONSTRAINT "chain_transfer_source" CHECK ("chain_transfer"."source" in ('log','value','trace','balance'));--> statement-breakpoint
ALTER TABLE "donation" ADD CONSTRAINT "donation_intent" CHECK ("donation"."tx_hash" is not null or ("donation"."intent" and "donation"."donor_wallet" is not null));--> statement-breakpoint
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_kind" CHECK ("ledger_account"."kind" in ('custody','unclaimed','exchange','held','released'));--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_kind" CHECK ("ledger_entry"."kind" in ('deposit','donation','conversion','reversal','release'));