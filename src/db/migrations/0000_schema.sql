CREATE TABLE "api_key" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key_hash" text NOT NULL,
	"last_four" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_key_hash" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_limit" (
	"key" text NOT NULL,
	"window_start" bigint NOT NULL,
	"taken" integer NOT NULL,
	CONSTRAINT "rate_limit_pk" PRIMARY KEY("key","window_start")
);
--> statement-breakpoint
CREATE TABLE "signature_challenge" (
	"nonce" text PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"purpose" text NOT NULL,
	"address" text NOT NULL,
	"chain_id" bigint NOT NULL,
	"campaign_id" uuid,
	"transfer_id" uuid,
	"message" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "signature_challenge_purpose" CHECK ("signature_challenge"."purpose" in ('link_wallet','campaign_account','claim_deposit','sign_in')),
	CONSTRAINT "signature_challenge_user" CHECK (("signature_challenge"."user_id" is null) = ("signature_challenge"."purpose" = 'sign_in'))
);
--> statement-breakpoint
CREATE TABLE "wallet" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"address" text NOT NULL,
	"chain_id" bigint NOT NULL,
	"method" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"before_reset" boolean DEFAULT false NOT NULL,
	CONSTRAINT "wallet_address_form" CHECK ("wallet"."address" ~ '^0x[0-9a-f]{40}$')
);
--> statement-breakpoint
CREATE TABLE "asset" (
	"id" text PRIMARY KEY NOT NULL,
	"chain_id" bigint,
	"kind" text NOT NULL,
	"address" text,
	"symbol" text NOT NULL,
	"decimals" integer NOT NULL,
	CONSTRAINT "asset_kind" CHECK ("asset"."kind" in ('erc20','native','fiat')),
	CONSTRAINT "asset_decimals" CHECK ("asset"."decimals" between 0 and 36)
);
--> statement-breakpoint
CREATE TABLE "campaign" (
	"id" uuid PRIMARY KEY NOT NULL,
	"creator_id" uuid NOT NULL,
	"creator_name" text,
	"title" text NOT NULL,
	"slug" text,
	"description" text NOT NULL,
	"category" text,
	"location" jsonb,
	"status" text NOT NULL,
	"currency_id" text NOT NULL,
	"target_amount" numeric(78,0) NOT NULL,
	"chain_id" bigint NOT NULL,
	"account" text NOT NULL,
	"account_proven_at" timestamp (3) with time zone,
	"opens_when_proven" boolean DEFAULT false NOT NULL,
	"opened_at" timestamp (3) with time zone,
	"counts_after" timestamp (3) with time zone,
	"counts_after_block" bigint,
	"never_opened" boolean DEFAULT false NOT NULL,
	"funded_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', title || ' ' || description || ' ' ||
        coalesce(location ->> 'country', '') || ' ' || coalesce(location ->> 'region', ''))) STORED,
	CONSTRAINT "campaign_status" CHECK ("campaign"."status" in ('draft','active','funded','completed','cancelled','failed')),
	CONSTRAINT "campaign_target" CHECK ("campaign"."target_amount" > 0),
	CONSTRAINT "campaign_account" CHECK ("campaign"."account" ~ '^0x[0-9a-f]{40}$')
);
--> statement-breakpoint
CREATE TABLE "campaign_cover" (
	"campaign_id" uuid PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"tag" text NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "campaign_total" (
	"campaign_id" uuid PRIMARY KEY NOT NULL,
	"raised" numeric(96,0) DEFAULT '0' NOT NULL,
	"refunded" numeric(96,0) DEFAULT '0' NOT NULL,
	"donations" bigint DEFAULT 0 NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "milestone" (
	"id" uuid PRIMARY KEY NOT NULL,
	"campaign_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"title" text,
	"description" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"cumulative" numeric(78,0) NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"verification_round" integer DEFAULT 0 NOT NULL,
	"verification_docs" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reached_at" timestamp (3) with time zone,
	"verified_at" timestamp (3) with time zone,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "milestone_status" CHECK ("milestone"."status" in ('pending','reached','verified','released','rejected')),
	CONSTRAINT "milestone_amount" CHECK ("milestone"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "chain_block" (
	"chain_id" bigint NOT NULL,
	"number" bigint NOT NULL,
	"hash" text NOT NULL,
	"parent_hash" text NOT NULL,
	"mined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chain_block_pk" PRIMARY KEY("chain_id","number")
);
--> statement-breakpoint
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
CREATE TABLE "chain_state" (
	"chain_id" bigint PRIMARY KEY NOT NULL,
	"cursor_number" bigint NOT NULL,
	"cursor_hash" text NOT NULL,
	"head_number" bigint NOT NULL,
	"finalized_number" bigint NOT NULL,
	"lease_owner" text,
	"lease_until" timestamp (3) with time zone,
	"booked_number" bigint DEFAULT 0 NOT NULL,
	"finalized_moved_at" timestamp (3) with time zone,
	"halted_at" timestamp (3) with time zone,
	"problem" text,
	"settings_problem" text,
	"settings_problem_at" timestamp (3) with time zone,
	"node_faults" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_transfer" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"tx_hash" text NOT NULL,
	"position" integer NOT NULL,
	"asset_id" text NOT NULL,
	"sender" text NOT NULL,
	"recipient" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"source" text DEFAULT 'log' NOT NULL,
	"block_number" bigint,
	"block_hash" text,
	"mined_at" timestamp (3) with time zone,
	"generation" integer DEFAULT 0 NOT NULL,
	"announce_at" timestamp (3) with time zone,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chain_transfer_source" CHECK ("chain_transfer"."source" in ('log','value','trace','balance')),
	CONSTRAINT "chain_transfer_amount" CHECK ("chain_transfer"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "database_clock" (
	"id" integer PRIMARY KEY NOT NULL,
	"trusted_at" timestamp (3) with time zone NOT NULL,
	"environment" text
);
--> statement-breakpoint
CREATE TABLE "claim_link" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"donation_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "claim_link_donation" UNIQUE("donation_id")
);
--> statement-breakpoint
CREATE TABLE "donation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"campaign_id" uuid NOT NULL,
	"type" text,
	"donor_wallet" text,
	"donor_name" text,
	"donor_message" text,
	"donor_hidden" boolean DEFAULT false NOT NULL,
	"chain_id" bigint NOT NULL,
	"tx_hash" text,
	"intent" boolean DEFAULT false NOT NULL,
	"attached_tx_hash" text,
	"paid_late" boolean DEFAULT false NOT NULL,
	"tx_sender" text,
	"tx_nonce" bigint,
	"original_tx_hash" text,
	"replaced_by" text,
	"wallet_proven" boolean DEFAULT false NOT NULL,
	"ledger_address" text NOT NULL,
	"claimed_position" integer,
	"declared_asset_id" text NOT NULL,
	"declared_amount" numeric(78,0) NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"reason" text DEFAULT 'waiting_for_transaction' NOT NULL,
	"block_number" bigint,
	"block_hash" text,
	"transfer_id" uuid,
	"lost_transfer_id" uuid,
	"confirmed_asset_id" text,
	"confirmed_amount" numeric(78,0),
	"credited_amount" numeric(78,0),
	"refunded_amount" numeric(78,0),
	"price" text,
	"price_source" jsonb,
	"discrepancy" boolean DEFAULT false NOT NULL,
	"checks" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"request_id" text,
	"trace_parent" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "donation_status" CHECK ("donation"."status" in ('pending','confirming','completed','failed','expired','reversed','partly_refunded','refunded')),
	CONSTRAINT "donation_completed" CHECK ("donation"."status" not in ('completed','partly_refunded','refunded') or ("donation"."transfer_id" is not null and "donation"."credited_amount" is not null)),
	CONSTRAINT "donation_refunded" CHECK (case when "donation"."status" in ('partly_refunded','refunded') then coalesce("donation"."refunded_amount", 0) > 0 else "donation"."refunded_amount" is null end),
	CONSTRAINT "donation_tx" CHECK ("donation"."tx_hash" ~ '^0x[0-9a-f]+$' and length("donation"."tx_hash") = 66),
	CONSTRAINT "donation_intent" CHECK ("donation"."tx_hash" is not null or ("donation"."intent" and "donation"."donor_wallet" is not null))
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
CREATE TABLE "campaign_escrow" (
	"campaign_id" uuid PRIMARY KEY NOT NULL,
	"terms" text NOT NULL,
	"code_proven_at" timestamp (3) with time zone,
	"ended_campaign" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "escrow_event" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"account" text NOT NULL,
	"campaign_id" uuid NOT NULL,
	"tx_hash" text NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"fields" jsonb NOT NULL,
	"block_number" bigint,
	"block_hash" text,
	"mined_at" timestamp (3) with time zone,
	"counts" boolean DEFAULT false NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"generation" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "escrow_event_kind" CHECK ("escrow_event"."kind" in ('Donated','Activated','MilestoneRejected','MilestoneReleased','SurplusReleased','Failed','Refunded','TransferReturned')),
	CONSTRAINT "escrow_event_settled" CHECK ("escrow_event"."settled_at" is null or "escrow_event"."block_number" is not null)
);
--> statement-breakpoint
CREATE TABLE "event" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "event_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"campaign_id" uuid,
	"audience" uuid[] NOT NULL,
	"body" text NOT NULL,
	"request_id" text,
	"trace_parent" text,
	"tx" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"test" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"relayed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "event_audience" (
	"user_id" uuid NOT NULL,
	"tx" "xid8" NOT NULL,
	"seq" bigint NOT NULL,
	CONSTRAINT "event_audience_pk" PRIMARY KEY("user_id","tx","seq")
);
--> statement-breakpoint
CREATE TABLE "webhook_delivery" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_type" text NOT NULL,
	"campaign_id" uuid,
	"event_seq" bigint NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"schedule_attempts" integer DEFAULT 0 NOT NULL,
	"attempt_log" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"lease" uuid,
	"delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_delivery_status" CHECK ("webhook_delivery"."status" in ('pending','delivered','exhausted','cancelled'))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoint" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"events" text[] NOT NULL,
	"signing" text DEFAULT 'hmac' NOT NULL,
	"secret_sealed" text NOT NULL,
	"public_key" text,
	"previous_secret_sealed" text,
	"previous_secret_until" timestamp (3) with time zone,
	"headers_sealed" text,
	"rate_per_minute" integer,
	"next_slot_at" timestamp (3) with time zone,
	"ordered" boolean DEFAULT false NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"disabled_reason" text,
	"set_by_admin" boolean DEFAULT false NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"replay_hour" timestamp (3) with time zone,
	"replays" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_endpoint_signing" CHECK ("webhook_endpoint"."signing" in ('hmac','ed25519')),
	CONSTRAINT "webhook_endpoint_status" CHECK ("webhook_endpoint"."status" in ('active','paused','disabled'))
);
--> statement-breakpoint
CREATE TABLE "campaign_update" (
	"id" uuid PRIMARY KEY NOT NULL,
	"campaign_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"media" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "impact_metrics" (
	"id" uuid PRIMARY KEY NOT NULL,
	"campaign_id" uuid NOT NULL,
	"reporter_id" uuid NOT NULL,
	"category" text,
	"metrics" jsonb NOT NULL,
	"beneficiaries" jsonb,
	"status" text DEFAULT 'reported' NOT NULL,
	"verifier_id" uuid,
	"evidence" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "impact_metrics_status" CHECK ("impact_metrics"."status" in ('reported','verified'))
);
--> statement-breakpoint
CREATE TABLE "milestone_verification" (
	"id" uuid PRIMARY KEY NOT NULL,
	"milestone_id" uuid NOT NULL,
	"round" integer NOT NULL,
	"decision" text NOT NULL,
	"evidence" jsonb NOT NULL,
	"evidence_hash" text NOT NULL,
	"verifier_id" uuid NOT NULL,
	"signer" text NOT NULL,
	"signature" text NOT NULL,
	"method" text NOT NULL,
	"block_number" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "milestone_verification_decision" CHECK ("milestone_verification"."decision" in ('completed','rejected'))
);
--> statement-breakpoint
CREATE TABLE "notification" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text DEFAULT 'unread' NOT NULL,
	"title" text NOT NULL,
	"message" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notification_status" CHECK ("notification"."status" in ('unread','read','archived','deleted'))
);
--> statement-breakpoint
CREATE TABLE "ledger_account" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_account_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"campaign_id" uuid NOT NULL,
	"asset_id" text NOT NULL,
	CONSTRAINT "ledger_account_asset" UNIQUE("id","asset_id"),
	CONSTRAINT "ledger_account_kind" CHECK ("ledger_account"."kind" in ('custody','unclaimed','exchange','held','released','paid'))
);
--> statement-breakpoint
CREATE TABLE "ledger_entry" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"debit_account" bigint NOT NULL,
	"credit_account" bigint NOT NULL,
	"asset_id" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"campaign_id" uuid NOT NULL,
	"donation_id" uuid,
	"transfer_id" uuid,
	"generation" integer,
	"block_number" bigint,
	"block_hash" text,
	"milestone_id" uuid,
	"escrow_event_id" uuid,
	"reverses" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_entry_kind" CHECK ("ledger_entry"."kind" in ('deposit','donation','conversion','reversal','release','payout','refund')),
	CONSTRAINT "ledger_entry_amount" CHECK ("ledger_entry"."amount" > 0),
	CONSTRAINT "ledger_entry_sides" CHECK ("ledger_entry"."debit_account" <> "ledger_entry"."credit_account"),
	CONSTRAINT "ledger_entry_reverses" CHECK (("ledger_entry"."kind" = 'reversal') = ("ledger_entry"."reverses" is not null)),
	CONSTRAINT "ledger_entry_release" CHECK (case when "ledger_entry"."kind" = 'release' then num_nonnulls("ledger_entry"."milestone_id", "ledger_entry"."escrow_event_id") > 0 else "ledger_entry"."milestone_id" is null end),
	CONSTRAINT "ledger_entry_escrow" CHECK (case when "ledger_entry"."kind" in ('payout','refund') then "ledger_entry"."escrow_event_id" is not null when "ledger_entry"."kind" in ('release','reversal') then true else "ledger_entry"."escrow_event_id" is null end),
	CONSTRAINT "ledger_entry_generation" CHECK ("ledger_entry"."escrow_event_id" is null or "ledger_entry"."generation" is not null)
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
	"resolution" text,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledgement" text,
	"acknowledgement_jws" text
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
CREATE TABLE "lost_head" (
	"global_head" text PRIMARY KEY NOT NULL,
	"campaign_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"head" text NOT NULL,
	"key_id" text NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL,
	"next_key_id" text
);
--> statement-breakpoint
CREATE TABLE "seal_intent" (
	"id" uuid PRIMARY KEY NOT NULL
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
CREATE TABLE "app_user" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text,
	"username" text NOT NULL,
	"password_hash" text,
	"first_name" text,
	"last_name" text,
	"lang" text DEFAULT 'en' NOT NULL,
	"profile" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"roles" text[] DEFAULT '{}' NOT NULL,
	"email_verified_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "app_user_email" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "email_code" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"code_hash" text NOT NULL,
	"attempts_left" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_key" (
	"caller" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer,
	"location" text,
	"body" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail" (
	"id" uuid PRIMARY KEY NOT NULL,
	"to_address" text NOT NULL,
	"lang" text NOT NULL,
	"template" text NOT NULL,
	"values_sealed" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"failed_reason" text,
	"request_id" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_token" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"revoked_reason" text,
	"user_agent" text,
	"cookie_hash" text,
	CONSTRAINT "session_cookie" UNIQUE("cookie_hash")
);
--> statement-breakpoint
CREATE TABLE "signing_key" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"private_sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"retired_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signature_challenge" ADD CONSTRAINT "signature_challenge_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signature_challenge" ADD CONSTRAINT "signature_challenge_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signature_challenge" ADD CONSTRAINT "signature_challenge_transfer_id_chain_transfer_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."chain_transfer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet" ADD CONSTRAINT "wallet_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign" ADD CONSTRAINT "campaign_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign" ADD CONSTRAINT "campaign_currency_id_asset_id_fk" FOREIGN KEY ("currency_id") REFERENCES "public"."asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_cover" ADD CONSTRAINT "campaign_cover_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_total" ADD CONSTRAINT "campaign_total_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "milestone" ADD CONSTRAINT "milestone_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_transfer" ADD CONSTRAINT "chain_transfer_asset_id_asset_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claim_link" ADD CONSTRAINT "claim_link_donation_id_donation_id_fk" FOREIGN KEY ("donation_id") REFERENCES "public"."donation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donation" ADD CONSTRAINT "donation_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donation" ADD CONSTRAINT "donation_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donation" ADD CONSTRAINT "donation_declared_asset_id_asset_id_fk" FOREIGN KEY ("declared_asset_id") REFERENCES "public"."asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donation" ADD CONSTRAINT "donation_transfer_id_chain_transfer_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."chain_transfer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donation" ADD CONSTRAINT "donation_lost_transfer_id_chain_transfer_id_fk" FOREIGN KEY ("lost_transfer_id") REFERENCES "public"."chain_transfer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donation" ADD CONSTRAINT "donation_confirmed_asset_id_asset_id_fk" FOREIGN KEY ("confirmed_asset_id") REFERENCES "public"."asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donation_proof" ADD CONSTRAINT "donation_proof_donation_id_donation_id_fk" FOREIGN KEY ("donation_id") REFERENCES "public"."donation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donation_proof" ADD CONSTRAINT "donation_proof_transfer_id_chain_transfer_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."chain_transfer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_escrow" ADD CONSTRAINT "campaign_escrow_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "escrow_event" ADD CONSTRAINT "escrow_event_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_update" ADD CONSTRAINT "campaign_update_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_update" ADD CONSTRAINT "campaign_update_author_id_app_user_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "impact_metrics" ADD CONSTRAINT "impact_metrics_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "impact_metrics" ADD CONSTRAINT "impact_metrics_reporter_id_app_user_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "impact_metrics" ADD CONSTRAINT "impact_metrics_verifier_id_app_user_id_fk" FOREIGN KEY ("verifier_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "milestone_verification" ADD CONSTRAINT "milestone_verification_milestone_id_milestone_id_fk" FOREIGN KEY ("milestone_id") REFERENCES "public"."milestone"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "milestone_verification" ADD CONSTRAINT "milestone_verification_verifier_id_app_user_id_fk" FOREIGN KEY ("verifier_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_asset_id_asset_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_donation_id_donation_id_fk" FOREIGN KEY ("donation_id") REFERENCES "public"."donation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_transfer_id_chain_transfer_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."chain_transfer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_milestone_id_milestone_id_fk" FOREIGN KEY ("milestone_id") REFERENCES "public"."milestone"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_escrow_event_id_escrow_event_id_fk" FOREIGN KEY ("escrow_event_id") REFERENCES "public"."escrow_event"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_debit" FOREIGN KEY ("debit_account","asset_id") REFERENCES "public"."ledger_account"("id","asset_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_credit" FOREIGN KEY ("credit_account","asset_id") REFERENCES "public"."ledger_account"("id","asset_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_reversed" FOREIGN KEY ("reverses") REFERENCES "public"."ledger_entry"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_balance" ADD CONSTRAINT "account_balance_asset_id_asset_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_difference" ADD CONSTRAINT "ledger_difference_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_difference" ADD CONSTRAINT "ledger_difference_asset_id_asset_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."asset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_difference" ADD CONSTRAINT "ledger_difference_run_id_reconciliation_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."reconciliation_run"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_seal" ADD CONSTRAINT "ledger_seal_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lost_head" ADD CONSTRAINT "lost_head_next_key_id_seal_key_kid_fk" FOREIGN KEY ("next_key_id") REFERENCES "public"."seal_key"("kid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sealed_entry" ADD CONSTRAINT "sealed_entry_entry_id_ledger_entry_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."ledger_entry"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sealed_entry" ADD CONSTRAINT "sealed_entry_seal_id_ledger_seal_id_fk" FOREIGN KEY ("seal_id") REFERENCES "public"."ledger_seal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_code" ADD CONSTRAINT "email_code_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_token" ADD CONSTRAINT "refresh_token_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_user" ON "api_key" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "rate_limit_window" ON "rate_limit" USING btree ("window_start");--> statement-breakpoint
CREATE INDEX "signature_challenge_expiry" ON "signature_challenge" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_address" ON "wallet" USING btree ("address");--> statement-breakpoint
CREATE INDEX "wallet_user" ON "wallet" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_open_account" ON "campaign" USING btree ("chain_id","account") WHERE "campaign"."status" in ('active','funded');--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_slug" ON "campaign" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "campaign_account_lookup" ON "campaign" USING btree ("chain_id","account");--> statement-breakpoint
CREATE INDEX "campaign_newest" ON "campaign" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "campaign_status_newest" ON "campaign" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "campaign_creator" ON "campaign" USING btree ("creator_id","created_at","id");--> statement-breakpoint
CREATE INDEX "campaign_search" ON "campaign" USING gin ("search") WITH (fastupdate=false);--> statement-breakpoint
CREATE UNIQUE INDEX "milestone_order" ON "milestone" USING btree ("campaign_id","position");--> statement-breakpoint
CREATE INDEX "chain_price_block" ON "chain_price" USING btree ("chain_id","block_number");--> statement-breakpoint
CREATE UNIQUE INDEX "chain_transfer_key" ON "chain_transfer" USING btree ("chain_id","tx_hash","position","recipient");--> statement-breakpoint
CREATE INDEX "chain_transfer_recipient" ON "chain_transfer" USING btree ("chain_id","recipient","mined_at","id");--> statement-breakpoint
CREATE INDEX "chain_transfer_sender" ON "chain_transfer" USING btree ("chain_id","sender");--> statement-breakpoint
CREATE INDEX "chain_transfer_block" ON "chain_transfer" USING btree ("chain_id","block_number");--> statement-breakpoint
CREATE INDEX "chain_transfer_announce" ON "chain_transfer" USING btree ("announce_at") WHERE "chain_transfer"."announce_at" is not null;--> statement-breakpoint
CREATE INDEX "claim_link_expiry" ON "claim_link" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "donation_open_intent" ON "donation" USING btree ("chain_id","donor_wallet") WHERE "donation"."intent" and "donation"."tx_hash" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "donation_claim" ON "donation" USING btree ("chain_id","tx_hash","campaign_id",coalesce("claimed_position", -2147483648),(case when "status" = 'failed' or "intent" then "id" else '00000000-0000-0000-0000-000000000000' end));--> statement-breakpoint
CREATE INDEX "donation_unseen" ON "donation" USING btree ("user_id") WHERE "donation"."status" = 'pending' and "donation"."checks" > 0 and "donation"."reason" = 'waiting_for_transaction';--> statement-breakpoint
CREATE INDEX "donation_unpaid" ON "donation" USING btree ("user_id") WHERE "donation"."intent" and "donation"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "donation_guest" ON "donation" USING btree ("donor_wallet") WHERE "donation"."user_id" is null;--> statement-breakpoint
CREATE INDEX "donation_original_tx_hash" ON "donation" USING btree ("original_tx_hash") WHERE "donation"."original_tx_hash" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "donation_transfer" ON "donation" USING btree ("transfer_id");--> statement-breakpoint
CREATE INDEX "donation_block" ON "donation" USING btree ("chain_id","block_number") WHERE "donation"."block_number" is not null;--> statement-breakpoint
CREATE INDEX "donation_unsettled" ON "donation" USING btree ("chain_id","block_number") WHERE "donation"."status" = 'confirming';--> statement-breakpoint
CREATE INDEX "donation_due" ON "donation" USING btree ("chain_id","next_check_at") WHERE "donation"."next_check_at" is not null;--> statement-breakpoint
CREATE INDEX "donation_newest" ON "donation" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "donation_campaign" ON "donation" USING btree ("campaign_id","created_at","id");--> statement-breakpoint
CREATE INDEX "donation_paid" ON "donation" USING btree ("campaign_id","created_at","id") WHERE "donation"."transfer_id" is not null or "donation"."status" = 'reversed';--> statement-breakpoint
CREATE INDEX "donation_user" ON "donation" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "donation_not_completed" ON "donation" USING btree ("status","created_at","id") WHERE "donation"."status" in ('failed','expired','reversed','partly_refunded','refunded');--> statement-breakpoint
CREATE INDEX "donation_proof_due" ON "donation_proof" USING btree ("chain_id","next_try_at") WHERE "donation_proof"."proof" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "escrow_event_key" ON "escrow_event" USING btree ("chain_id","tx_hash","position");--> statement-breakpoint
CREATE INDEX "escrow_event_unsettled" ON "escrow_event" USING btree ("chain_id","block_number") WHERE "escrow_event"."settled_at" is null and "escrow_event"."counts";--> statement-breakpoint
CREATE INDEX "escrow_event_block" ON "escrow_event" USING btree ("chain_id","block_number");--> statement-breakpoint
CREATE INDEX "escrow_event_campaign" ON "escrow_event" USING btree ("campaign_id","kind",("fields" ->> 'donor'));--> statement-breakpoint
CREATE INDEX "event_unrelayed" ON "event" USING btree ("seq") WHERE "event"."relayed_at" is null;--> statement-breakpoint
CREATE INDEX "event_unrelayed_campaign" ON "event" USING btree ("campaign_id","seq") WHERE "event"."relayed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "event_seq" ON "event" USING btree ("seq");--> statement-breakpoint
CREATE INDEX "event_feed" ON "event" USING btree ("tx","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_delivery_once" ON "webhook_delivery" USING btree ("event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" USING btree ("endpoint_id","next_attempt_at") WHERE "webhook_delivery"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_delivery_order" ON "webhook_delivery" USING btree ("endpoint_id","campaign_id","event_seq") WHERE "webhook_delivery"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_delivery_newest" ON "webhook_delivery" USING btree ("endpoint_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_type" ON "webhook_delivery" USING btree ("endpoint_id","event_type","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_undelivered" ON "webhook_delivery" USING btree ("endpoint_id","status","created_at","id") WHERE "webhook_delivery"."status" <> 'delivered';--> statement-breakpoint
CREATE INDEX "webhook_delivery_held" ON "webhook_delivery" USING btree ("endpoint_id","lease_until") WHERE "webhook_delivery"."lease" is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoint_user" ON "webhook_endpoint" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "webhook_endpoint_by_admin" ON "webhook_endpoint" USING btree ("user_id") WHERE "webhook_endpoint"."set_by_admin";--> statement-breakpoint
CREATE INDEX "campaign_update_campaign" ON "campaign_update" USING btree ("campaign_id","created_at","id");--> statement-breakpoint
CREATE INDEX "campaign_update_newest" ON "campaign_update" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "impact_metrics_campaign" ON "impact_metrics" USING btree ("campaign_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "milestone_verification_once" ON "milestone_verification" USING btree ("milestone_id","round","verifier_id","decision");--> statement-breakpoint
CREATE UNIQUE INDEX "milestone_verification_signer" ON "milestone_verification" USING btree ("milestone_id","round","signer","decision");--> statement-breakpoint
CREATE INDEX "notification_user" ON "notification" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_account_key" ON "ledger_account" USING btree ("campaign_id","kind","asset_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entry_once" ON "ledger_entry" USING btree ("transfer_id","generation","kind") WHERE "ledger_entry"."kind" in ('deposit','donation','conversion');--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entry_reversed_once" ON "ledger_entry" USING btree ("reverses");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entry_released_once" ON "ledger_entry" USING btree ("milestone_id") WHERE "ledger_entry"."escrow_event_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entry_escrow_once" ON "ledger_entry" USING btree ("escrow_event_id","generation","kind",coalesce("transfer_id", "escrow_event_id")) WHERE "ledger_entry"."escrow_event_id" is not null and "ledger_entry"."kind" <> 'reversal';--> statement-breakpoint
CREATE INDEX "ledger_entry_campaign" ON "ledger_entry" USING btree ("campaign_id","id");--> statement-breakpoint
CREATE INDEX "ledger_entry_donation" ON "ledger_entry" USING btree ("donation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_difference_open" ON "ledger_difference" USING btree ("kind","chain_id","account","asset_id","block_number",coalesce("tx_hash", ''),coalesce("campaign_id"::text, '')) WHERE "ledger_difference"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "ledger_difference_newest" ON "ledger_difference" USING btree ("opened_at","id");--> statement-breakpoint
CREATE INDEX "ledger_difference_campaign" ON "ledger_difference" USING btree ("campaign_id");--> statement-breakpoint
CREATE INDEX "reconciliation_run_chain" ON "reconciliation_run" USING btree ("chain_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_seal_key" ON "ledger_seal" USING btree ("campaign_id","seq");--> statement-breakpoint
CREATE INDEX "ledger_seal_of_key" ON "ledger_seal" USING btree ("key_id","id");--> statement-breakpoint
CREATE INDEX "sealed_entry_seal" ON "sealed_entry" USING btree ("seal_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "app_user_username" ON "app_user" USING btree (lower("username"));--> statement-breakpoint
CREATE INDEX "app_user_admin" ON "app_user" USING btree ("id") WHERE 'admin' = any("app_user"."roles");--> statement-breakpoint
CREATE INDEX "email_code_user" ON "email_code" USING btree ("user_id","purpose","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "idempotency_key_caller" ON "idempotency_key" USING btree ("caller","key");--> statement-breakpoint
CREATE INDEX "idempotency_key_expiry" ON "idempotency_key" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mail_address" ON "mail" USING btree ("to_address","created_at");--> statement-breakpoint
CREATE INDEX "mail_due" ON "mail" USING btree ("next_attempt_at") WHERE "mail"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "refresh_token_session" ON "refresh_token" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "session_user" ON "session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "session_revoked" ON "session" USING btree ("revoked_at") WHERE "session"."revoked_at" is not null;