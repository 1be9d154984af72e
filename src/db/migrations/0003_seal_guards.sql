-- A seal is as final as the entries under it.
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
--> statement-breakpoint
CREATE TRIGGER seal_key_immutable BEFORE UPDATE OR DELETE ON seal_key
  FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER seal_key_no_truncate BEFORE TRUNCATE ON seal_key
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
-- Transfers of before it was written down what had shown them.
UPDATE chain_transfer SET source = 'value' WHERE position = -1;
