ALTER TABLE "donation" ADD COLUMN "donor_name" text;--> statement-breakpoint
ALTER TABLE "donation" ADD COLUMN "donor_message" text;--> statement-breakpoint
ALTER TABLE "donation" ADD COLUMN "donor_hidden" boolean DEFAULT false NOT NULL;