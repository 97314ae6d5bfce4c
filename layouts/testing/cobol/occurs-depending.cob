      *> OCCURS DEPENDING ON: customers with as many orders as they have, and a field behind them.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. OCCURS-DEPENDING-RECORDS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OUT-FILE ASSIGN TO "OUTFILE"
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  OUT-FILE RECORD IS VARYING IN SIZE FROM 42 TO 111.
       01  CUSTOMER-REC.
           05  C-ACCOUNT       PIC X(8).
           05  C-NAME          PIC X(20).
           05  C-ITEMS         PIC S9(4) COMP.
           05  C-ORDER OCCURS 0 TO 3 TIMES DEPENDING ON C-ITEMS.
               10  O-NUMBER    PIC X(10).
               10  O-TOTAL     PIC S9(7)V99 COMP-3.
               10  O-DATE      PIC 9(8).
           05  C-CITY          PIC X(12).
       PROCEDURE DIVISION.
           OPEN OUTPUT OUT-FILE.
           MOVE 2 TO C-ITEMS.
           MOVE "A-1" TO C-ACCOUNT.
           MOVE "Smith" TO C-NAME.
           MOVE "B-1" TO O-NUMBER(1).
           MOVE 10.50 TO O-TOTAL(1).
           MOVE 20260131 TO O-DATE(1).
           MOVE "B-2" TO O-NUMBER(2).
           MOVE 4150.19 TO O-TOTAL(2).
           MOVE 19991231 TO O-DATE(2).
           MOVE "Utrecht" TO C-CITY.
           WRITE CUSTOMER-REC.
           MOVE 0 TO C-ITEMS.
           MOVE "A-2" TO C-ACCOUNT.
           MOVE "O'Neill" TO C-NAME.
           MOVE "Galway" TO C-CITY.
           WRITE CUSTOMER-REC.
           MOVE 3 TO C-ITEMS.
           MOVE "A-3" TO C-ACCOUNT.
           MOVE "Lee" TO C-NAME.
           MOVE "B-3" TO O-NUMBER(1).
           MOVE 0 TO O-TOTAL(1).
           MOVE 0 TO O-DATE(1).
           MOVE "B-4" TO O-NUMBER(2).
           MOVE 1234567.89 TO O-TOTAL(2).
           MOVE 20240229 TO O-DATE(2).
           MOVE "B-5" TO O-NUMBER(3).
           MOVE 0.01 TO O-TOTAL(3).
           MOVE 20261125 TO O-DATE(3).
           MOVE "Bonn" TO C-CITY.
           WRITE CUSTOMER-REC.
           CLOSE OUT-FILE.
           STOP RUN.
