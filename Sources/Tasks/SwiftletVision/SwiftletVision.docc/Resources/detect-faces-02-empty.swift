// The program comes here.
