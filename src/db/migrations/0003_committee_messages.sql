CREATE TABLE "committee_message" (
	"chain_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"position" bigint NOT NULL,
	"slot" bigint NOT NULL,
	"root" "bytea" NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" "bytea" NOT NULL,
	"message" "bytea" NOT NULL,
	"verified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "committee_message_pk" PRIMARY KEY("chain_id","kind","position"),
	CONSTRAINT "committee_message_kind" CHECK ("committee_message"."kind" in ('bootstrap','update','finality')),
	CONSTRAINT "committee_message_root" CHECK (octet_length("committee_message"."root") = 32)
);
--> statement-breakpoint
ALTER TABLE "chain_state" ADD COLUMN "claimed_number" bigint;--> statement-breakpoint
CREATE INDEX "committee_message_block" ON "committee_message" USING btree ("chain_id","block_number");