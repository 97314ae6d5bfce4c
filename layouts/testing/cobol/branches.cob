      *> Two kinds of records under one trailer: staff, and amounts with as many parts as they have.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. BRANCH-RECORDS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OUT-FILE ASSIGN TO "OUTFILE"
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  OUT-FILE
           RECORD IS VARYING IN SIZE FROM 10 TO 40 CHARACTERS
           DEPENDING ON REC-LENGTH.
       01  OUT-REC             PIC X(40).
       01  STAFF-REC.
           05  S-TYPE          PIC X.
           05  S-NUMBER        PIC 9(6).
           05  S-LAST          PIC X(20).
           05  S-ACCOUNT       PIC X(10).
       01  AMOUNT-REC.
           05  A-TYPE          PIC X.
           05  A-NUMBER        PIC 9(6).
           05  A-OVER          PIC S9(7)V99 COMP-3.
           05  A-BINARY        PIC S9(9) COMP.
       01  TRAILER-REC.
           05  T-TYPE          PIC X.
           05  T-COUNT         PIC 9(4).
           05  T-NUMBERS       PIC 9(9).
           05  T-AMOUNTS       PIC S9(9)V99 COMP-3.
       WORKING-STORAGE SECTION.
       01  REC-LENGTH          PIC 9(4) COMP.
       PROCEDURE DIVISION.
           OPEN OUTPUT OUT-FILE.
           MOVE SPACES TO OUT-REC.
           MOVE "S" TO S-TYPE.
           MOVE 801 TO S-NUMBER.
           MOVE "Smith" TO S-LAST.
           MOVE "b1" TO S-ACCOUNT.
           MOVE 37 TO REC-LENGTH.
           WRITE OUT-REC.
           MOVE SPACES TO OUT-REC.
           MOVE "A" TO A-TYPE.
           MOVE 901 TO A-NUMBER.
           MOVE 4150.19 TO A-OVER.
           MOVE -7 TO A-BINARY.
           MOVE 16 TO REC-LENGTH.
           WRITE OUT-REC.
           MOVE 902 TO A-NUMBER.
           MOVE -150.20 TO A-OVER.
           MOVE 41505 TO A-BINARY.
           WRITE OUT-REC.
           MOVE SPACES TO OUT-REC.
           MOVE "S" TO S-TYPE.
           MOVE 802 TO S-NUMBER.
           MOVE "O'Neill" TO S-LAST.
           MOVE "b2" TO S-ACCOUNT.
           MOVE 37 TO REC-LENGTH.
           WRITE OUT-REC.
           MOVE SPACES TO OUT-REC.
           MOVE "T" TO T-TYPE.
           MOVE 4 TO T-COUNT.
           MOVE 1603 TO T-NUMBERS.
           MOVE 3999.99 TO T-AMOUNTS.
           MOVE 20 TO REC-LENGTH.
           WRITE OUT-REC.
           CLOSE OUT-FILE.
           STOP RUN.
