      *> Texts and numbers as they are printed: JUSTIFIED RIGHT, edited pictures, BLANK WHEN ZERO, and a code.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. EDITED-RECORDS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OUT-FILE ASSIGN TO "OUTFILE"
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  OUT-FILE.
       01  OUT-REC.
           05  E-ID            PIC 9(4).
           05  E-TEXT          PIC X(8) JUSTIFIED RIGHT.
           05  E-TRAILING      PIC Z(6)9.99-.
           05  E-FLOATING      PIC -(7)9.99.
           05  E-STARS         PIC *(6)9.99.
           05  E-BLANK         PIC 9(6) BLANK WHEN ZERO.
           05  E-FLAG          PIC X.
               88  IS-OPEN     VALUE "Y".
               88  IS-CLOSED   VALUE "N".
       PROCEDURE DIVISION.
           OPEN OUTPUT OUT-FILE.
           MOVE 1 TO E-ID.
           MOVE "AB" TO E-TEXT.
           MOVE 4150.19 TO E-TRAILING E-FLOATING E-STARS.
           MOVE 415 TO E-BLANK.
           SET IS-OPEN TO TRUE.
           WRITE OUT-REC.
           MOVE 2 TO E-ID.
           MOVE "ABCDEFGH" TO E-TEXT.
           MOVE -1234567.89 TO E-TRAILING E-FLOATING.
           MOVE 0.05 TO E-STARS.
           MOVE 0 TO E-BLANK.
           SET IS-CLOSED TO TRUE.
           WRITE OUT-REC.
           CLOSE OUT-FILE.
           STOP RUN.
