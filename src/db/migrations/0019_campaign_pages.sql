ALTER TABLE "campaign" ADD COLUMN "creator_name" text;--> statement-breakpoint
ALTER TABLE "campaign" ADD COLUMN "slug" text;--> statement-breakpoint
ALTER TABLE "campaign" ADD COLUMN "ends_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE campaign
SET slug = coalesce(nullif(trim(BOTH '-' FROM left(
      regexp_replace(lower(title), '[^a-z0-9]+', '-', 'g'), 60)), ''), 'campaign')
    || '-' || right(id::text, 12);--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_slug" ON "campaign" USING btree ("slug");