CREATE TABLE "claim_link" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"donation_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "claim_link_donation" UNIQUE("donation_id")
);
--> statement-breakpoint
ALTER TABLE "donation" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "claim_link" ADD CONSTRAINT "claim_link_donation_id_donation_id_fk" FOREIGN KEY ("donation_id") REFERENCES "public"."donation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "claim_link_expiry" ON "claim_link" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "donation_guest" ON "donation" USING btree ("donor_wallet") WHERE "donation"."user_id" is null;