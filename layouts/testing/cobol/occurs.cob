      *> OCCURS: customers with up to three orders. What has no order is initialized, or LOW-VALUES.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. OCCURS-RECORDS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OUT-FILE ASSIGN TO "OUTFILE"
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  OUT-FILE.
       01  CUSTOMER-REC.
           05  C-TYPE          PIC X.
           05  C-ACCOUNT       PIC X(8).
           05  C-NAME          PIC X(20).
           05  C-ITEMS         PIC 9(2).
           05  C-ORDER OCCURS 3 TIMES.
               10  O-NUMBER    PIC X(10).
               10  O-TOTAL     PIC S9(7)V99 COMP-3.
               10  O-DATE      PIC 9(8).
       01  TRAILER-REC.
           05  T-TYPE          PIC X.
           05  T-COUNT         PIC 9(4).
           05  T-ITEMS         PIC 9(6).
           05  FILLER          PIC X(89).
       PROCEDURE DIVISION.
           OPEN OUTPUT OUT-FILE.
           INITIALIZE CUSTOMER-REC.
           MOVE "C" TO C-TYPE.
           MOVE "A-1" TO C-ACCOUNT.
           MOVE "Smith" TO C-NAME.
           MOVE 3 TO C-ITEMS.
           MOVE "B-1" TO O-NUMBER(1).
           MOVE 10.50 TO O-TOTAL(1).
           MOVE 20260131 TO O-DATE(1).
           MOVE "B-2" TO O-NUMBER(2).
           MOVE 4150.19 TO O-TOTAL(2).
           MOVE 19991231 TO O-DATE(2).
           MOVE "B-3" TO O-NUMBER(3).
           WRITE CUSTOMER-REC.
           INITIALIZE CUSTOMER-REC.
           MOVE "C" TO C-TYPE.
           MOVE "A-2" TO C-ACCOUNT.
           MOVE "O'Neill" TO C-NAME.
           MOVE LOW-VALUES TO C-ORDER(2) C-ORDER(3).
           WRITE CUSTOMER-REC.
           INITIALIZE CUSTOMER-REC.
           MOVE "C" TO C-TYPE.
           MOVE "A-3" TO C-ACCOUNT.
           MOVE "Lee" TO C-NAME.
           MOVE 1 TO C-ITEMS.
           MOVE "B-4" TO O-NUMBER(2).
           MOVE 1234567.89 TO O-TOTAL(2).
           MOVE 20240229 TO O-DATE(2).
           MOVE SPACES TO C-ORDER(3).
           WRITE CUSTOMER-REC.
           MOVE SPACES TO TRAILER-REC.
           MOVE "T" TO T-TYPE.
           MOVE 3 TO T-COUNT.
           MOVE 4 TO T-ITEMS.
           WRITE TRAILER-REC.
           CLOSE OUT-FILE.
           STOP RUN.
