      *> Lines, of which LINE SEQUENTIAL takes the blanks off the end.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LINE-RECORDS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OUT-FILE ASSIGN TO "OUTFILE"
               ORGANIZATION IS LINE SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  OUT-FILE.
       01  OUT-REC.
           05  L-NUMBER        PIC 9(6).
           05  L-DAY           PIC 9(8).
           05  L-AMOUNT        PIC S9(5)V99 SIGN IS TRAILING SEPARATE.
           05  L-ACCOUNT       PIC X(12).
       PROCEDURE DIVISION.
           OPEN OUTPUT OUT-FILE.
           MOVE 1 TO L-NUMBER.
           MOVE 20260131 TO L-DAY.
           MOVE -4150.19 TO L-AMOUNT.
           MOVE "00071-A" TO L-ACCOUNT.
           WRITE OUT-REC.
           MOVE 2 TO L-NUMBER.
           MOVE 19991231 TO L-DAY.
           MOVE 0.05 TO L-AMOUNT.
           MOVE SPACES TO L-ACCOUNT.
           WRITE OUT-REC.
           CLOSE OUT-FILE.
           STOP RUN.
