DROP INDEX "campaign_creator";--> statement-breakpoint
ALTER TABLE "campaign" ADD COLUMN "search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', title || ' ' || description || ' ' ||
        coalesce(location ->> 'country', '') || ' ' || coalesce(location ->> 'region', ''))) STORED;--> statement-breakpoint
ALTER TABLE "campaign_update" ADD COLUMN "updated_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "campaign_search" ON "campaign" USING gin ("search");--> statement-breakpoint
CREATE INDEX "campaign_creator" ON "campaign" USING btree ("creator_id","created_at","id");