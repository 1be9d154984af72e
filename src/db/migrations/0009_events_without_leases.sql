ALTER TABLE "event" DROP COLUMN "lease_until";--> statement-breakpoint
ALTER TABLE "event" DROP COLUMN "lease";