      *> Every form of a number that a record may hold, and figurative constants in a text.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. NUMBERS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OUT-FILE ASSIGN TO "OUTFILE"
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  OUT-FILE.
       01  OUT-REC.
           05  N-ID           PIC 9(4).
           05  N-SINGLE       COMP-1.
           05  N-DOUBLE       COMP-2.
           05  N-THOUSANDS    PIC S9(3)P(3).
           05  N-FRACTION     PIC SVP(2)9(3).
           05  N-OVER         PIC S9(5)V99.
           05  N-OVER-LEAD    PIC S9(5)V99 SIGN IS LEADING.
           05  N-TRAIL        PIC S9(5)V99 SIGN IS TRAILING SEPARATE.
           05  N-LEAD         PIC S9(5)V99 SIGN IS LEADING SEPARATE.
           05  N-PACKED       PIC S9(7)V99 COMP-3.
           05  N-COMP-SIX     PIC 9(6) COMP-6.
           05  N-BINARY       PIC S9(9) COMP.
           05  N-NATIVE       PIC S9(9) COMP-5.
           05  N-TEXT         PIC X(6).
       PROCEDURE DIVISION.
           OPEN OUTPUT OUT-FILE.
           MOVE 1 TO N-ID.
           MOVE 4150.1 TO N-SINGLE N-DOUBLE.
           MOVE 415000 TO N-THOUSANDS.
           MOVE 0.00415 TO N-FRACTION.
           MOVE 4150.19 TO N-OVER N-OVER-LEAD N-TRAIL N-LEAD N-PACKED.
           MOVE 41505 TO N-COMP-SIX N-BINARY N-NATIVE.
           MOVE "MARTHA" TO N-TEXT.
           WRITE OUT-REC.
           MOVE 2 TO N-ID.
           MOVE -0.0078125 TO N-SINGLE.
           MOVE -123456789.125 TO N-DOUBLE.
           MOVE -999000 TO N-THOUSANDS.
           MOVE -0.00001 TO N-FRACTION.
           MOVE -12345.67 TO N-OVER N-OVER-LEAD N-TRAIL N-LEAD.
           MOVE -1234567.89 TO N-PACKED.
           MOVE 999999 TO N-COMP-SIX.
           MOVE -999999999 TO N-BINARY N-NATIVE.
           MOVE LOW-VALUES TO N-TEXT.
           WRITE OUT-REC.
           MOVE 3 TO N-ID.
           MOVE ZERO TO N-SINGLE N-DOUBLE N-THOUSANDS N-FRACTION N-OVER
               N-OVER-LEAD N-TRAIL N-LEAD N-PACKED
               N-COMP-SIX N-BINARY N-NATIVE.
           MOVE HIGH-VALUES TO N-TEXT.
           WRITE OUT-REC.
           CLOSE OUT-FILE.
           STOP RUN.
