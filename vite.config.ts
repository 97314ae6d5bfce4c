import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "./",
  plugins: [react()],
  worker: { format: "es" },
  test: {
    include: ["{dictionary,server,src,bench}/**/*.test.{ts,tsx}"],
    environment: "node",
  },
});
