DROP INDEX "campaign_search";--> statement-breakpoint
CREATE INDEX "campaign_search" ON "campaign" USING gin ("search") WITH (fastupdate=false);