DROP INDEX "webhook_delivery_list";--> statement-breakpoint
DROP INDEX "campaign_newest";--> statement-breakpoint
DROP INDEX "chain_transfer_recipient";--> statement-breakpoint
DROP INDEX "donation_campaign";--> statement-breakpoint
DROP INDEX "donation_user";--> statement-breakpoint
DROP INDEX "campaign_update_campaign";--> statement-breakpoint
DROP INDEX "campaign_update_newest";--> statement-breakpoint
DROP INDEX "impact_metrics_campaign";--> statement-breakpoint
DROP INDEX "notification_user";--> statement-breakpoint
DROP INDEX "ledger_difference_newest";--> statement-breakpoint
DROP INDEX "reconciliation_run_chain";--> statement-breakpoint
CREATE INDEX "donation_newest" ON "donation" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "donation_not_completed" ON "donation" USING btree ("status","created_at","id") WHERE "donation"."status" in ('failed','expired','reversed');--> statement-breakpoint
CREATE INDEX "webhook_delivery_newest" ON "webhook_delivery" USING btree ("endpoint_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_type" ON "webhook_delivery" USING btree ("endpoint_id","event_type","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_endpoint_by_admin" ON "webhook_endpoint" USING btree ("user_id") WHERE "webhook_endpoint"."set_by_admin";--> statement-breakpoint
CREATE INDEX "campaign_newest" ON "campaign" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "chain_transfer_recipient" ON "chain_transfer" USING btree ("chain_id","recipient","mined_at","id");--> statement-breakpoint
CREATE INDEX "donation_campaign" ON "donation" USING btree ("campaign_id","created_at","id");--> statement-breakpoint
CREATE INDEX "donation_user" ON "donation" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "campaign_update_campaign" ON "campaign_update" USING btree ("campaign_id","created_at","id");--> statement-breakpoint
CREATE INDEX "campaign_update_newest" ON "campaign_update" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "impact_metrics_campaign" ON "impact_metrics" USING btree ("campaign_id","created_at","id");--> statement-breakpoint
CREATE INDEX "notification_user" ON "notification" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "ledger_difference_newest" ON "ledger_difference" USING btree ("opened_at","id");--> statement-breakpoint
CREATE INDEX "reconciliation_run_chain" ON "reconciliation_run" USING btree ("chain_id","started_at");