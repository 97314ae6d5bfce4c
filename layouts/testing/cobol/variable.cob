      *> Records of varying length: a header, customers with the length of their account, and a trailer.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. VARYING-RECORDS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OUT-FILE ASSIGN TO "OUTFILE"
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  OUT-FILE
           RECORD IS VARYING IN SIZE FROM 10 TO 45 CHARACTERS
           DEPENDING ON REC-LENGTH.
       01  OUT-REC             PIC X(45).
       01  HEADER-REC.
           05  H-TYPE          PIC X.
           05  H-SENDER        PIC X(8).
           05  H-SEQUENCE      PIC 9(6).
       01  CUSTOMER-REC.
           05  C-TYPE          PIC X.
           05  C-NUMBER        PIC S9(9) COMP-3.
           05  C-FIRST         PIC X(12).
           05  C-LAST          PIC X(17).
           05  C-ACCOUNT       PIC X(10).
       01  TRAILER-REC.
           05  T-TYPE          PIC X.
           05  T-COUNT         PIC 9(4).
           05  T-HASH          PIC S9(9) COMP.
           05  FILLER          PIC X(3).
       WORKING-STORAGE SECTION.
       01  REC-LENGTH          PIC 9(4) COMP.
       PROCEDURE DIVISION.
           OPEN OUTPUT OUT-FILE.
           MOVE SPACES TO OUT-REC.
           MOVE "H" TO H-TYPE.
           MOVE "CRMHOST" TO H-SENDER.
           MOVE 42 TO H-SEQUENCE.
           MOVE 15 TO REC-LENGTH.
           WRITE OUT-REC.
           MOVE SPACES TO OUT-REC.
           MOVE "D" TO C-TYPE.
           MOVE 100482 TO C-NUMBER.
           MOVE "Martha" TO C-FIRST.
           MOVE "O'Neill" TO C-LAST.
           MOVE "00071-A" TO C-ACCOUNT.
           MOVE 42 TO REC-LENGTH.
           WRITE OUT-REC.
           MOVE 100490 TO C-NUMBER.
           MOVE SPACES TO C-FIRST.
           MOVE "Smith" TO C-LAST.
           MOVE "A" TO C-ACCOUNT.
           MOVE 45 TO REC-LENGTH.
           WRITE OUT-REC.
           MOVE 7 TO C-NUMBER.
           MOVE "Ann" TO C-FIRST.
           MOVE "Lee" TO C-LAST.
           MOVE "ZZ" TO C-ACCOUNT.
           MOVE 37 TO REC-LENGTH.
           WRITE OUT-REC.
           MOVE SPACES TO OUT-REC.
           MOVE "T" TO T-TYPE.
           MOVE 3 TO T-COUNT.
           MOVE 200979 TO T-HASH.
           MOVE 12 TO REC-LENGTH.
           WRITE OUT-REC.
           CLOSE OUT-FILE.
           STOP RUN.
