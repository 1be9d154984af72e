CREATE TABLE "webhook_delivered" (
	"endpoint_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"first_id" uuid NOT NULL,
	"event_type" text NOT NULL,
	"delivered_at" timestamp (3) with time zone NOT NULL,
	"ids" uuid[] NOT NULL,
	"event_ids" uuid[] NOT NULL,
	"started_ms" bigint[] NOT NULL,
	"duration_ms" integer[] NOT NULL,
	"status_codes" integer[] NOT NULL,
	"response_bodies" text[],
	CONSTRAINT "webhook_delivered_pk" PRIMARY KEY("endpoint_id","created_at","first_id")
);
--> statement-breakpoint
-- Random ids do not compress: what is small enough stays in its row, what is not is stored as it is.
ALTER TABLE "webhook_delivered" SET (toast_tuple_target = 8160);
--> statement-breakpoint
ALTER TABLE "webhook_handover" ADD COLUMN "ids" uuid[];--> statement-breakpoint
ALTER TABLE "webhook_handover" ADD COLUMN "event_ids" uuid[];--> statement-breakpoint
ALTER TABLE "webhook_handover" ADD COLUMN "endpoint_ids" uuid[];--> statement-breakpoint
UPDATE "webhook_handover" SET
	"ids" = ARRAY(SELECT gen_random_uuid() FROM jsonb_array_elements("deliveries")),
	"event_ids" = ARRAY(SELECT (pair->>'event_id')::uuid FROM jsonb_array_elements("deliveries") WITH ORDINALITY AS each (pair, place) ORDER BY place),
	"endpoint_ids" = ARRAY(SELECT (pair->>'endpoint_id')::uuid FROM jsonb_array_elements("deliveries") WITH ORDINALITY AS each (pair, place) ORDER BY place);--> statement-breakpoint
ALTER TABLE "webhook_handover" ALTER COLUMN "ids" SET NOT NULL, ALTER COLUMN "ids" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "webhook_handover" ALTER COLUMN "event_ids" SET NOT NULL, ALTER COLUMN "event_ids" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "webhook_handover" ALTER COLUMN "endpoint_ids" SET NOT NULL, ALTER COLUMN "endpoint_ids" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "webhook_handover" DROP COLUMN "deliveries";