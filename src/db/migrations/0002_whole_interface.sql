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
	"quota" integer NOT NULL,
	"taken" integer NOT NULL,
	"wanted" integer NOT NULL,
	"portion" integer NOT NULL,
	"pressed" boolean NOT NULL,
	CONSTRAINT "rate_limit_pk" PRIMARY KEY("key","window_start")
);
--> statement-breakpoint
CREATE TABLE "signature_challenge" (
	"nonce" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"address" text NOT NULL,
	"chain_id" bigint NOT NULL,
	"campaign_id" uuid,
	"message" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "signature_challenge_purpose" CHECK ("signature_challenge"."purpose" in ('link_wallet','campaign_account'))
);
--> statement-breakpoint
CREATE TABLE "wallet" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"address" text NOT NULL,
	"chain_id" bigint NOT NULL,
	"method" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "wallet_address_form" CHECK ("wallet"."address" ~ '^0x[0-9a-f]{40}$')
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
	"created_at" timestamp (3) with time zone NOT NULL
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
ALTER TABLE "campaign" ADD COLUMN "opens_when_proven" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign" ADD COLUMN "opened_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "milestone" ADD COLUMN "verification_round" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD COLUMN "milestone_id" uuid;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_milestone_id_milestone_id_fk" FOREIGN KEY ("milestone_id") REFERENCES "public"."milestone"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_release" CHECK (("ledger_entry"."kind" = 'release') = ("ledger_entry"."milestone_id" is not null));--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signature_challenge" ADD CONSTRAINT "signature_challenge_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signature_challenge" ADD CONSTRAINT "signature_challenge_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet" ADD CONSTRAINT "wallet_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_update" ADD CONSTRAINT "campaign_update_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_update" ADD CONSTRAINT "campaign_update_author_id_app_user_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "impact_metrics" ADD CONSTRAINT "impact_metrics_campaign_id_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "impact_metrics" ADD CONSTRAINT "impact_metrics_reporter_id_app_user_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "impact_metrics" ADD CONSTRAINT "impact_metrics_verifier_id_app_user_id_fk" FOREIGN KEY ("verifier_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "milestone_verification" ADD CONSTRAINT "milestone_verification_milestone_id_milestone_id_fk" FOREIGN KEY ("milestone_id") REFERENCES "public"."milestone"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "milestone_verification" ADD CONSTRAINT "milestone_verification_verifier_id_app_user_id_fk" FOREIGN KEY ("verifier_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_user" ON "api_key" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "rate_limit_window" ON "rate_limit" USING btree ("window_start");--> statement-breakpoint
CREATE INDEX "rate_limit_pressed" ON "rate_limit" USING btree ("window_start") WHERE pressed;--> statement-breakpoint
CREATE INDEX "signature_challenge_expiry" ON "signature_challenge" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_address" ON "wallet" USING btree ("address");--> statement-breakpoint
CREATE INDEX "wallet_user" ON "wallet" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "campaign_update_campaign" ON "campaign_update" USING btree ("campaign_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "campaign_update_newest" ON "campaign_update" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "impact_metrics_campaign" ON "impact_metrics" USING btree ("campaign_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entry_released_once" ON "ledger_entry" USING btree ("milestone_id");--> statement-breakpoint
CREATE UNIQUE INDEX "milestone_verification_once" ON "milestone_verification" USING btree ("milestone_id","round","verifier_id","decision");--> statement-breakpoint
CREATE UNIQUE INDEX "milestone_verification_signer" ON "milestone_verification" USING btree ("milestone_id","round","signer","decision");--> statement-breakpoint
CREATE INDEX "notification_user" ON "notification" USING btree ("user_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "session_revoked" ON "session" USING btree ("revoked_at") WHERE "session"."revoked_at" is not null;