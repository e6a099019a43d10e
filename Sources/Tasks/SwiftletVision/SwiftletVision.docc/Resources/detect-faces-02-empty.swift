// Your code goes here.
