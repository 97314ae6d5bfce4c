import { useEffect, useState } from "react";
import { say } from "../../../../core/i18n/translate.ts";
import { useDeps } from "../../../context/services.ts";
import { LeaveDialog } from "../../../navigation/leave-dialog.tsx";

/** What was mended is asked for before it goes: with another file, and with the tab. */
export function OtherFile({ hasMended }: { hasMended: boolean }) {
  const { desk } = useDeps();
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (!hasMended) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [hasMended]);
  return (
    <>
      <button type="button" className="button quiet" onClick={() => (hasMended ? setAsking(true) : desk.close())}>
        {say("Choose another file")}
      </button>
      {isAsking && (
        <LeaveDialog title={say("Choose another file?")} leave={say("Choose another")} onLeave={desk.close} onStay={() => setAsking(false)}>
          {say("What you mended or left out in this file is forgotten. Nothing of it is stored yet.")}
        </LeaveDialog>
      )}
    </>
  );
}
