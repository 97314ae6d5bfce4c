      *> OCCURS DEPENDING ON: up to three phones, and a field behind the table.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. DEPENDING-RECORDS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OUT-FILE ASSIGN TO "OUTFILE"
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  OUT-FILE RECORD IS VARYING IN SIZE FROM 27 TO 51.
       01  OUT-REC.
           05  C-NUMBER        PIC 9(6).
           05  C-COUNT         PIC 9(2) COMP-3.
           05  C-PHONE OCCURS 0 TO 3 TIMES DEPENDING ON C-COUNT.
               10  P-NUMBER    PIC X(6).
               10  P-CALLS     PIC S9(3) COMP-3.
           05  C-LAST          PIC X(19).
       PROCEDURE DIVISION.
           OPEN OUTPUT OUT-FILE.
           MOVE 1 TO C-NUMBER.
           MOVE 2 TO C-COUNT.
           MOVE "111111" TO P-NUMBER(1).
           MOVE 41 TO P-CALLS(1).
           MOVE "222222" TO P-NUMBER(2).
           MOVE -5 TO P-CALLS(2).
           MOVE "Smith" TO C-LAST.
           WRITE OUT-REC.
           MOVE 2 TO C-NUMBER.
           MOVE 0 TO C-COUNT.
           MOVE "O'Neill" TO C-LAST.
           WRITE OUT-REC.
           MOVE 3 TO C-NUMBER.
           MOVE 3 TO C-COUNT.
           MOVE "333331" TO P-NUMBER(1).
           MOVE "333332" TO P-NUMBER(2).
           MOVE "333333" TO P-NUMBER(3).
           MOVE 1 TO P-CALLS(1) P-CALLS(2) P-CALLS(3).
           MOVE "Lee" TO C-LAST.
           WRITE OUT-REC.
           CLOSE OUT-FILE.
           STOP RUN.
