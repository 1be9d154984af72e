-- A seal is as final as the entries under it.
REVOKE UPDATE, DELETE, TRUNCATE ON ledger_seal, sealed_entry FROM fundproof_app;
--> statement-breakpoint
CREATE TRIGGER ledger_seal_immutable BEFORE UPDATE OR DELETE ON ledger_seal
  FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER ledger_seal_no_truncate BEFORE TRUNCATE ON ledger_seal
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER sealed_entry_immutable BEFORE UPDATE OR DELETE ON sealed_entry
  FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER sealed_entry_no_truncate BEFORE TRUNCATE ON sealed_entry
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
