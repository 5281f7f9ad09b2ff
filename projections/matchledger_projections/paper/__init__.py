"""Paper: what a log says on the forms that a document asks for, the score card and the rating."""
